import { serve } from "./serve.ts";

const { address } = await serve(Number(process.env["PORT"] ?? 8080));
console.log(`Wall Rally at ${address}`);
