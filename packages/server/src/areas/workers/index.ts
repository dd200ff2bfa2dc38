export { workersArea } from "./workers-area.ts";
