import type { Ball, State } from "./debug-api.ts";

export const WIDTH = 320;
export const HEIGHT = 180;
export const RADIUS = 3;
export const FACE = 12;
export const PADDLE_HEIGHT = 36;

const STRIDE = 2;
const GAIN = 1.05;
const FASTEST = 6;

/** The game without a screen: a state, the keys that are held, and what a step makes of them. */
export class Game {
  readonly held = new Set<string>();
  state: State = first();

  reset(): void {
    this.state = first();
  }

  step(): void {
    if (this.state.over) {
      return;
    }
    const direction = Number(this.held.has("ArrowDown")) - Number(this.held.has("ArrowUp"));
    const half = PADDLE_HEIGHT / 2;
    this.state.paddle = Math.min(Math.max(this.state.paddle + STRIDE * direction, half), HEIGHT - half);
    const { ball } = this.state;
    const before = ball.x;
    ball.x += ball.vx;
    ball.y += ball.vy;
    offWalls(ball);
    const face = FACE + RADIUS;
    const meets = before >= face && ball.x < face && Math.abs(ball.y - this.state.paddle) <= half + RADIUS;
    if (meets) {
      ball.x = 2 * face - ball.x;
      ball.vx = -ball.vx;
      accelerate(ball);
      this.state.score += 1;
    }
    this.state.over = ball.x < 0;
  }
}

function first(): State {
  return { ball: { x: 160, y: 90, vx: -2, vy: 1 }, paddle: 90, score: 0, over: false };
}

function offWalls(ball: Ball): void {
  if (ball.x > WIDTH - RADIUS) {
    ball.x = 2 * (WIDTH - RADIUS) - ball.x;
    ball.vx = -ball.vx;
  }
  for (const wall of [RADIUS, HEIGHT - RADIUS]) {
    if (wall === RADIUS ? ball.y < wall : ball.y > wall) {
      ball.y = 2 * wall - ball.y;
      ball.vy = -ball.vy;
    }
  }
}

function accelerate(ball: Ball): void {
  const speed = Math.hypot(ball.vx, ball.vy);
  const factor = Math.min(GAIN, FASTEST / speed);
  ball.vx *= factor;
  ball.vy *= factor;
}
