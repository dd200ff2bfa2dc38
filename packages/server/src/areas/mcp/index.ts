export { mcp } from "./mcp-area.ts";
