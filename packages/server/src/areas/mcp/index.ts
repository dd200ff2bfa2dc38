export { type McpDeps, mcp } from "./mcp-area.ts";
export type { OpenPicture } from "./pictures.ts";
