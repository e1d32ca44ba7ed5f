import type { Ball, Rally } from "../debug-api/rally.ts";

export type { Ball, Rally, State } from "../debug-api/rally.ts";

/** What is wrong, or null where a requirement is met. */
export type Verdict = string | null;

/** The game that runs on this page. */
export function rally(): Rally {
  const found = (globalThis as { __rally?: Rally }).__rally;
  if (found === undefined) {
    throw new Error("the solution offers no __rally");
  }
  return found;
}

/** A new rally with the ball here and the paddle out of its way. */
export function serve(game: Rally, ball: Ball, paddle = 150): void {
  game.reset();
  game.place(ball);
  game.move(paddle);
}

export function near(one: number, other: number, by = 1e-6): boolean {
  return Math.abs(one - other) <= by;
}
