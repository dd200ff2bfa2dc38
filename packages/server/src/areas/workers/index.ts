export { type WorkersAreaDeps, workersArea } from "./workers-area.ts";
