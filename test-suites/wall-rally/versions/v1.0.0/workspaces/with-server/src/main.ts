import type { Rally } from "./debug-api.ts";

/** Offer the debug API, under the name by which validators look for it. */
export function offer(rally: Rally): void {
  Object.assign(globalThis, { __rally: rally });
}
