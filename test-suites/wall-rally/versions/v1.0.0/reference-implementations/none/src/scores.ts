/** The leaderboard of the server at an address. */
export class Scores {
  private readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  async submit(score: number): Promise<void> {
    await fetch(`${this.address}/scores`, { method: "POST", body: JSON.stringify({ score }) });
  }

  async best(): Promise<number[]> {
    const answer = await fetch(`${this.address}/scores`);
    return (await answer.json()) as number[];
  }
}
