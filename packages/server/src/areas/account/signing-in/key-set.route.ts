import { operations } from "@atelier/contract";
import type { EmbeddedIssuer } from "../../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";

// Public keys only. Five minutes in a cache are well below the lead time of a key rotation.
export function getKeySetRoute(issuer: EmbeddedIssuer): Route<unknown> {
  return route(operations.getKeySet, () => jsonAnswer(200, issuer.jwks(), { "cache-control": "public, max-age=300" }));
}
