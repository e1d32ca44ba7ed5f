/** The keys that the game listens to, by the names that the browser gives them. */
export type Key = "ArrowUp" | "ArrowDown" | " ";
