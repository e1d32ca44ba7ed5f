import { type Ball, type Rally, type Verdict, near, serve } from "../debug-api.ts";

const FACE = 15;

/** The y of the ball's centre at the paddle's face, played through with a step so small that none is jumped over. */
function played(game: Rally, ball: Ball): number {
  serve(game, { ...ball, vx: ball.vx / 512, vy: ball.vy / 512 }, ball.y > 90 ? 18 : 162);
  let before = ball;
  for (let step = 0; step < 1_000_000; step += 1) {
    game.step(1);
    const now = game.state().ball;
    if (now.x <= FACE || (now.vx > 0 && before.vx < 0)) {
      return before.y + (before.vy * (before.x - FACE)) / -before.vx;
    }
    before = now;
  }
  return Number.NaN;
}

export function validate(game: Rally, landing: (ball: Ball) => number | null): Verdict {
  const balls = [
    { x: 160, y: 90, vx: -2, vy: 1 },
    { x: 200, y: 30, vx: 3, vy: -2.5 },
    { x: 20, y: 170, vx: 1, vy: 4 },
    { x: 300, y: 90, vx: -5, vy: 0 },
  ];
  for (const ball of balls) {
    const foretold = landing(ball);
    const due = played(game, ball);
    if (foretold === null || !near(foretold, due, 1e-3)) {
      return `${JSON.stringify(ball)} lands at ${due}, and ${foretold} was foretold`;
    }
  }
  return landing({ x: 160, y: 90, vx: 0, vy: 1 }) === null ? null : "a ball that does not move sideways never lands";
}
