import { type Rally, type Verdict, near, serve } from "../debug-api.ts";

export function validate(game: Rally): Verdict {
  for (const [before, due] of [[2, 2.1], [5, 5.25], [5.9, 6], [6, 6]]) {
    serve(game, { x: 16, y: 90, vx: -before, vy: 0 }, 90);
    game.step(1);
    const { vx, vy } = game.state().ball;
    const speed = Math.hypot(vx, vy);
    if (!near(speed, due)) {
      return `a ball with the speed ${before} had the speed ${speed} after its return, not ${due}`;
    }
  }
  return null;
}
