// The routes of a publisher's own versions; they only translate.

import { operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { Registry } from "../../capabilities/registry/index.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { created, done, shown } from "./fresh-answers.ts";
import type { RegistryRoutes } from "./registry-areas.ts";
import { type RegistryRouteDeps, requireMember } from "./registry-caller.ts";

const at = ({ params }: Pick<Incoming<unknown>, "params">) => ({
  publisherId: params["publisherId"] ?? "",
  nodeId: params["nodeId"] ?? "",
  versionId: params["versionId"] ?? "",
});

export function publishRoutes(deps: RegistryRouteDeps): RegistryRoutes {
  return {
    open: [publishNodeVersionRoute(deps)],
    members: [
      updateNodeVersionRoute(deps.registry),
      deleteNodeVersionRoute(deps.registry),
      getVersionReviewRoute(deps.registry),
      appealNodeVersionRoute(deps.registry),
    ],
    operators: [],
  };
}

export function updateNodeVersionRoute({ versions }: Registry): Route<Principal> {
  return route(operations.updateNodeVersion, (incoming) => shown(versions.update(at(incoming), incoming)));
}

export function deleteNodeVersionRoute({ versions }: Registry): Route<Principal> {
  return route(operations.deleteNodeVersion, (incoming) => done(versions.delete(at(incoming), incoming)));
}

export function getVersionReviewRoute({ versions }: Registry): Route<Principal> {
  return route(operations.getVersionReview, (incoming) => shown(versions.readReview(at(incoming), incoming)));
}

export function appealNodeVersionRoute({ versions }: Registry): Route<Principal> {
  return route(operations.appealNodeVersion, (incoming) => shown(versions.appeal(at(incoming), incoming)));
}

export function publishNodeVersionRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.publishNodeVersion, async (incoming) => {
    const { requestId } = incoming;
    const sent = { requestId, json: () => incoming.json(), member: () => requireMember(deps, incoming) };
    return created(deps.registry.versions.publish(at(incoming), sent));
  });
}
