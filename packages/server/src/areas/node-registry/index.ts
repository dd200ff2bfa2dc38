export { type NodeArchives, nodeArchives, nodeRegistry } from "./node-registry.ts";
