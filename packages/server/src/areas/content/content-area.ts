// The content origin: bytes that users made, on an origin without cookies, without credentials and without anything else
// on it that a page could reach. The signed address is the right (Spec, Output URL rule 2).
import type { Assets } from "../../capabilities/assets/index.ts";
import { type Area, area } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import { signedContentRoute } from "./signed-content.route.ts";

export function content(deps: { readonly assets: Pick<Assets, "resolveSigned" | "content"> }): Area {
  return area({
    name: "content",
    prefixes: ["/c"],
    authenticate: null,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [signedContentRoute(deps.assets)],
  });
}
