import { type Rally, type Verdict, serve } from "../debug-api.ts";

export function validate(game: Rally): Verdict {
  serve(game, { x: 20, y: 40, vx: -2, vy: 0 });
  game.step(10);
  if (game.state().over) {
    return "the rally ended with the ball's centre at x = 0";
  }
  game.step(1);
  if (!game.state().over) {
    return "the ball left the court, and the rally went on";
  }
  const before = JSON.stringify(game.state());
  game.press("ArrowUp");
  game.step(10);
  game.release("ArrowUp");
  const after = JSON.stringify(game.state());
  return before === after ? null : `after the end ${before} became ${after}`;
}
