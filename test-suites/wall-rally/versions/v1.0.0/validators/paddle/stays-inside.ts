import { type Rally, type Verdict } from "../debug-api.ts";

export function validate(game: Rally): Verdict {
  for (const [key, end] of [["ArrowUp", 18], ["ArrowDown", 162]] as const) {
    game.reset();
    game.press(key);
    game.step(50);
    game.release(key);
    const { paddle } = game.state();
    if (paddle !== end) {
      return `with ${key} held the paddle went to ${paddle}, not to ${end}`;
    }
  }
  return null;
}
