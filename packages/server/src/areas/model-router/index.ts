// The model router: partner models by canonical id, run synchronously. Its operations are not mounted yet, which is a
// state that the specification knows: an authenticated call answers 404 with bucket `not_enabled`.
import { Fault } from "../../foundation/fault.ts";
import type { Area, Arrival } from "../../foundation/http/area.ts";
import { bucketHeader, routerEnvelope } from "./router-envelope.ts";

export function modelRouter<Caller>(deps: { authenticate: (arrival: Arrival) => Promise<Caller> }): Area<Caller> {
  return {
    name: "model router",
    prefixes: ["/v1"],
    envelope: routerEnvelope,
    earlyHeaders: bucketHeader,
    cors: "listed",
    routes: [],
    async authenticate(arrival) {
      await deps.authenticate(arrival);
      throw new Fault("not_enabled", "The model router is not enabled on this server.");
    },
  };
}
