import type { Ball } from "./debug-api.ts";
import { FACE, HEIGHT, RADIUS, WIDTH } from "./game.ts";

/** The y of the ball's centre at the paddle's face: the court is unfolded, so that the way is one straight line. */
export function landing(ball: Ball): number | null {
  if (ball.vx === 0) {
    return null;
  }
  const face = FACE + RADIUS;
  const way = ball.vx < 0 ? ball.x - face : 2 * (WIDTH - RADIUS) - ball.x - face;
  const inner = HEIGHT - 2 * RADIUS;
  const y = ball.y - RADIUS + (ball.vy * way) / Math.abs(ball.vx);
  const folded = ((y % (2 * inner)) + 2 * inner) % (2 * inner);
  return RADIUS + (folded <= inner ? folded : 2 * inner - folded);
}
