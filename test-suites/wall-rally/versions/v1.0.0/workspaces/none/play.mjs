#!/usr/bin/env node
// Serves this folder, so that a browser can play what `npm run build` made.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const kinds = { ".html": "text/html", ".js": "text/javascript", ".png": "image/png", ".wav": "audio/wav" };

createServer(async (request, response) => {
  const path = normalize(request.url === "/" ? "/index.html" : request.url);
  try {
    const content = await readFile(join(import.meta.dirname, path));
    response.setHeader("content-type", kinds[extname(path)] ?? "text/plain").end(content);
  } catch {
    response.writeHead(404).end();
  }
}).listen(8080, "127.0.0.1", () => console.log("http://127.0.0.1:8080"));
