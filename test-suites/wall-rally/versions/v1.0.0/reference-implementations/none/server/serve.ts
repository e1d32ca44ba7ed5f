import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const KINDS: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
const KEPT = 10;

/** Serve the game and its leaderboard on this port, 0 for any that is free. */
export async function serve(port: number): Promise<{ address: string; stop: () => void }> {
  let best: number[] = [];
  const server = createServer(async (request, response) => {
    try {
      if (request.url === "/scores" && request.method === "POST") {
        let body = "";
        for await (const part of request) {
          body += part;
        }
        const { score } = JSON.parse(body) as { score: unknown };
        if (typeof score !== "number" || !Number.isFinite(score)) {
          throw new TypeError("a score is a number");
        }
        best = [...best, score].sort((one, other) => other - one).slice(0, KEPT);
        response.writeHead(204).end();
      } else if (request.url === "/scores") {
        response.setHeader("content-type", "application/json").end(JSON.stringify(best));
      } else {
        const path = normalize(request.url === "/" ? "/index.html" : (request.url ?? ""));
        response.setHeader("content-type", KINDS[extname(path)] ?? "text/plain").end(await readFile(join(".", path)));
      }
    } catch (error) {
      response.writeHead(error instanceof SyntaxError || error instanceof TypeError ? 400 : 404).end();
    }
  });
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const { port: taken } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${taken}`, stop: () => void server.close() };
}
