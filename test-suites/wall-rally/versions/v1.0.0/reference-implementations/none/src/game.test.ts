import assert from "node:assert/strict";
import { test } from "node:test";

import { Game } from "./game.ts";

test("a rally in which no key is held ends without a point", () => {
  const game = new Game();
  while (!game.state.over) {
    game.step();
  }
  assert.equal(game.state.score, 0);
});
