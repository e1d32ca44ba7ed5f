import { createServer } from "node:http";

const port = Number(process.env["PORT"] ?? 8080);

createServer((_, response) => response.writeHead(404).end()).listen(port, "127.0.0.1");
