export type { Move } from "./move.ts";
export { createMoves, type Moves } from "./moves.ts";
