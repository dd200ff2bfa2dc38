export { createRequestBodies, type RequestBodies } from "./request-bodies.ts";
export type { KeptBody, ShownKeeping } from "./request-body.ts";
