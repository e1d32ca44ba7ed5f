/** The validators themselves are tried: the reference satisfies all of them, and a game that stands still none. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { landing } from "../reference-implementations/none/src/landing.ts";
import { offer } from "../reference-implementations/none/src/offer.ts";
import { serve } from "../reference-implementations/none/server/serve.ts";
import { validate as bouncesOffPaddle } from "./ball/bounces-off-paddle.ts";
import { validate as bouncesOffWalls } from "./ball/bounces-off-walls.ts";
import { validate as fliesStraight } from "./ball/flies-straight.ts";
import { validate as getsFaster } from "./ball/gets-faster.ts";
import { validate as keepsBallInside } from "./court/keeps-ball-inside.ts";
import { validate as repeatsItself } from "./court/repeats-itself.ts";
import { type Rally, type Verdict, rally } from "./debug-api.ts";
import { validate as keepsTheBestTen } from "./leaderboard/keeps-the-best-ten.ts";
import { validate as followsKeys } from "./paddle/follows-keys.ts";
import { validate as staysInside } from "./paddle/stays-inside.ts";
import { validate as countsReturns } from "./scoring/counts-returns.ts";
import { validate as endsWithAMiss } from "./scoring/ends-with-a-miss.ts";
import { validate as showsTheScore } from "./scoring/shows-the-score.ts";
import { validate as agreesWithTheGame } from "./trajectory/agrees-with-the-game.ts";
import { validate as arrives } from "./trick-shot/arrives.ts";

const validators: Record<string, (game: Rally) => Verdict | Promise<Verdict>> = {
  bouncesOffPaddle,
  bouncesOffWalls,
  fliesStraight,
  getsFaster,
  keepsBallInside,
  repeatsItself,
  keepsTheBestTen,
  followsKeys,
  staysInside,
  countsReturns,
  endsWithAMiss,
  showsTheScore,
  agreesWithTheGame: (game) => agreesWithTheGame(game, landing),
  arrives: (game) => arrives(game, shots),
};

/** Directions to the mirror images of the target: behind the right wall, below the bottom too, above the top as well. */
const shots = [
  Math.atan2(60 - 90, 2 * 317 - 40),
  Math.atan2(2 * 177 - 60 - 90, 2 * 317 - 40),
  Math.atan2(-(2 * 174 - 60 + 90), 2 * 317 - 40),
];

const still: Rally = {
  reset: () => undefined,
  state: () => ({ ball: { x: 400, y: 300, vx: -1, vy: 0 }, paddle: 0, score: Math.random(), over: false }),
  place: () => undefined,
  move: () => undefined,
  step: () => undefined,
  press: () => undefined,
  release: () => undefined,
  text: () => "",
};

let stop = (): void => undefined;

beforeAll(async () => {
  const server = await serve(0);
  offer(server.address);
  stop = server.stop;
});

afterAll(() => stop());

test.each(Object.entries(validators))("the reference satisfies %s", async (_, validate) => {
  expect(await validate(rally())).toBeNull();
});

test.each(Object.entries(validators))("a game that stands still does not satisfy %s", async (_, validate) => {
  expect(await validate(still)).not.toBeNull();
});
