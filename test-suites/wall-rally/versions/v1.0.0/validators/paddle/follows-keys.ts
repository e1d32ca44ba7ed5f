import { type Rally, type Verdict } from "../debug-api.ts";

export function validate(game: Rally): Verdict {
  game.reset();
  const start = game.state().paddle;
  game.press("ArrowUp");
  game.step(5);
  const up = game.state().paddle;
  game.press("ArrowDown");
  game.step(5);
  const both = game.state().paddle;
  game.release("ArrowUp");
  game.step(5);
  const down = game.state().paddle;
  game.release("ArrowDown");
  const found = [start, up, both, down].join(", ");
  return found === "90, 80, 80, 90" ? null : `up, both, down: the paddle was at ${found}, not at 90, 80, 80, 90`;
}
