import { type Ball, type Rally, type Verdict, near, serve } from "../debug-api.ts";

/** A ball before a step, and where it has to be after it. */
const bounces: [string, Ball, Ball][] = [
  ["the right wall", { x: 316, y: 90, vx: 2, vy: 1 }, { x: 316, y: 91, vx: -2, vy: 1 }],
  ["the top", { x: 100, y: 4, vx: 1, vy: -3 }, { x: 101, y: 5, vx: 1, vy: 3 }],
  ["the bottom", { x: 100, y: 176, vx: -1, vy: 2 }, { x: 99, y: 176, vx: -1, vy: -2 }],
  ["the corner", { x: 316, y: 176, vx: 3, vy: 3 }, { x: 315, y: 175, vx: -3, vy: -3 }],
];

export function validate(game: Rally): Verdict {
  for (const [wall, before, due] of bounces) {
    serve(game, before, 40);
    game.step(1);
    const { ball } = game.state();
    const same = (["x", "y", "vx", "vy"] as const).every((part) => near(ball[part], due[part]));
    if (!same) {
      return `at ${wall} the ball became ${JSON.stringify(ball)}, not ${JSON.stringify(due)}`;
    }
  }
  return null;
}
