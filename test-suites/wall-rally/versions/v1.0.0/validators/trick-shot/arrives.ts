import { type Ball, type Rally, type Verdict, near, serve } from "../debug-api.ts";

/** Bounces of a ball on its way to x = 0, and its y there; NaN where it does not get there. */
function flight(game: Rally, angle: number): [number, number] {
  serve(game, { x: 40, y: 90, vx: 2 * Math.cos(angle), vy: 2 * Math.sin(angle) });
  let bounces = 0;
  let before: Ball = game.state().ball;
  for (let step = 0; step < 2_000; step += 1) {
    game.step(1);
    const { ball, over, score } = game.state();
    if (score > 0) {
      break;
    }
    bounces += Number(ball.vx * before.vx < 0) + Number(ball.vy * before.vy < 0);
    if (over) {
      return [bounces, before.y + (before.vy * before.x) / -before.vx];
    }
    before = ball;
  }
  return [bounces, Number.NaN];
}

export function validate(game: Rally, angles: number[]): Verdict {
  for (const [index, asked] of [1, 2, 3].entries()) {
    const [bounces, y] = flight(game, angles[index] ?? Number.NaN);
    if (bounces !== asked || !near(y, 60, 1)) {
      return `the direction ${angles[index]} leads to y = ${y} after ${bounces} bounces, and ${asked} were asked for`;
    }
  }
  return null;
}
