// v2 before it has a surface: callers with a credential get 404 in the v2 envelope, callers without one 401.
import type { Area, Arrival } from "../../foundation/http/area.ts";
import { workflowEnvelope } from "./workflow-envelope.ts";

export function workflows<Caller>(deps: { authenticate: (arrival: Arrival) => Promise<Caller> }): Area<Caller> {
  return {
    name: "workflows",
    prefixes: ["/api/v2", "/api/jobs", "/workflow"],
    envelope: workflowEnvelope,
    cors: "listed",
    routes: [],
    authenticate: deps.authenticate,
  };
}
