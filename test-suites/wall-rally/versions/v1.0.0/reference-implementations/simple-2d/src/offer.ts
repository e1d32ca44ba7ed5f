import type { Rally } from "./debug-api.ts";
import { Game } from "./game.ts";

/** Make a game and offer its debug API. */
export function offer(): Game {
  const game = new Game();
  const api: Rally = {
    reset: () => game.reset(),
    state: () => structuredClone(game.state),
    place: (ball) => {
      game.state.ball = { ...ball };
    },
    move: (paddle) => {
      game.state.paddle = paddle;
    },
    step: (count) => {
      for (let step = 0; step < count; step += 1) {
        game.step();
      }
    },
    press: (key) => {
      game.held.add(key);
    },
    release: (key) => {
      game.held.delete(key);
    },
    text: () => scoreLine(game),
  };
  Object.assign(globalThis, { __rally: api });
  return game;
}

export function scoreLine(game: Game): string {
  return game.state.over ? `${game.state.score} - press space` : `${game.state.score}`;
}
