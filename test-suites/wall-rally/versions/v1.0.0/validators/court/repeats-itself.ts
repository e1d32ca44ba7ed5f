import { type Rally, type Verdict } from "../debug-api.ts";

function played(game: Rally, strides: number[]): string {
  game.reset();
  for (const stride of strides) {
    game.press("ArrowDown");
    game.step(stride);
    game.release("ArrowDown");
    game.step(1);
  }
  return JSON.stringify(game.state());
}

export function validate(game: Rally): Verdict {
  const strides = [3, 1, 4, 1, 5, 9, 2, 6];
  const first = played(game, strides);
  const second = played(game, strides);
  return first === second ? null : `the same keys led to ${first} and to ${second}`;
}
