/** The keys that the game listens to, by the names that the browser gives them. */
export type Key = "ArrowUp" | "ArrowDown" | " ";

/** Position of the centre in units of the court, velocity in units a step. */
export interface Ball {
  x: number;
  y: number;
  vx: number;
  vy: number;
}

/** `paddle` is the y of the paddle's centre. */
export interface State {
  ball: Ball;
  paddle: number;
  score: number;
  over: boolean;
}

/** What a solution offers as `globalThis.__rally`. */
export interface Rally {
  reset(): void;
  state(): State;
  place(ball: Ball): void;
  move(paddle: number): void;
  step(count: number): void;
  press(key: Key): void;
  release(key: Key): void;
  text(): string;
  submit?(score: number): Promise<void>;
  leaderboard?(): Promise<number[]>;
}
