// The partner proxy: image and video tasks at partners. Its operations are not mounted yet: 401 without a credential,
// else 404 with the generic body.
import type { Area, Arrival } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";

export function partnerProxy<Caller>(deps: { authenticate: (arrival: Arrival) => Promise<Caller> }): Area<Caller> {
  return {
    name: "partner proxy",
    prefixes: ["/proxy", "/customers"],
    envelope: genericEnvelope,
    cors: "listed",
    routes: [],
    authenticate: deps.authenticate,
  };
}
