import { type Rally, type Verdict } from "../debug-api.ts";

export function validate(game: Rally): Verdict {
  game.reset();
  game.place({ x: 16, y: 90, vx: -2, vy: 0 });
  game.step(1);
  const shown = game.text();
  return /(^|[^0-9])1([^0-9]|$)/.test(shown) ? null : `after one return the screen says "${shown}"`;
}
