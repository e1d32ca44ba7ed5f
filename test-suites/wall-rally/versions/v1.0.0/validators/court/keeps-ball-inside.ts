import { type Rally, type Verdict, serve } from "../debug-api.ts";

export function validate(game: Rally): Verdict {
  serve(game, { x: 160, y: 90, vx: 4.1, vy: 3.7 });
  for (let step = 0; step < 200 && !game.state().over; step += 1) {
    game.step(1);
    const { x, y } = game.state().ball;
    if (y < 0 || y > 180 || x > 320) {
      return `after ${step + 1} steps the ball is at (${x}, ${y})`;
    }
  }
  return null;
}
