import { type Rally, type Verdict, serve } from "../debug-api.ts";

function returned(game: Rally, y: number): boolean {
  serve(game, { x: 16, y, vx: -2, vy: 0 }, 90);
  game.step(1);
  return game.state().ball.vx > 0;
}

export function validate(game: Rally): Verdict {
  const missed = [69, 72, 90, 108, 111].filter((y) => !returned(game, y));
  if (missed.length > 0) {
    return `a paddle at 90 did not return the ball at y = ${missed.join(", ")}`;
  }
  const caught = [68, 112].filter((y) => returned(game, y));
  return caught.length > 0 ? `a paddle at 90 returned the ball at y = ${caught.join(", ")}` : null;
}
