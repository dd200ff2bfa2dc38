export { nodeArchives, nodeRegistry } from "./node-registry.ts";
