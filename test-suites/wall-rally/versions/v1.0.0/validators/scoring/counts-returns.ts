import { type Rally, type Verdict } from "../debug-api.ts";

export function validate(game: Rally): Verdict {
  game.reset();
  for (let returns = 0; returns < 5; returns += 1) {
    if (game.state().score !== returns) {
      return `after ${returns} returns the score is ${game.state().score}`;
    }
    game.move(90);
    game.place({ x: 16, y: 90, vx: -2, vy: 0 });
    game.step(1);
  }
  game.reset();
  return game.state().score === 0 ? null : `a new rally starts with ${game.state().score} points`;
}
