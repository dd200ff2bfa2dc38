export { createMoves, type Moves } from "./moves.ts";
