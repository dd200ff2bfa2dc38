export { createRequestBodies, type RequestBodies } from "./request-bodies.ts";
export type { FoundBodies, KeptBody, NotedBodies, ShownKeeping } from "./request-body.ts";
