import { type Rally, type Verdict } from "../debug-api.ts";

export async function validate(game: Rally): Promise<Verdict> {
  if (game.submit === undefined || game.leaderboard === undefined) {
    return "the debug API offers no leaderboard";
  }
  for (const score of [900, 907, 903, 905, 901, 911, 909, 902, 908, 904, 910, 906, 905]) {
    await game.submit(score);
  }
  const found = (await game.leaderboard()).join(" ");
  return found === "911 910 909 908 907 906 905 905 904 903" ? null : `the leaderboard holds ${found}`;
}
