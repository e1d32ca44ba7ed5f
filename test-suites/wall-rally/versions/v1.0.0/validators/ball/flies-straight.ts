import { type Rally, type Verdict, near, serve } from "../debug-api.ts";

export function validate(game: Rally): Verdict {
  serve(game, { x: 100, y: 60, vx: 1.25, vy: -0.5 });
  game.step(40);
  const { x, y } = game.state().ball;
  return near(x, 150) && near(y, 40) ? null : `after 40 steps the ball is at (${x}, ${y}), not at (150, 40)`;
}
