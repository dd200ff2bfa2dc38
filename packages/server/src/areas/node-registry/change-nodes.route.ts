// The routes by which members change nodes; they only translate.

import { operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { Registry } from "../../capabilities/registry/index.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { created, done, shown } from "./fresh-answers.ts";
import { RegistryQuery } from "./registry-query.ts";

const at = ({ params }: Incoming<Principal>) => ({
  publisherId: params["publisherId"] ?? "",
  nodeId: params["nodeId"] ?? "",
});

export function createNodeRoute({ nodes }: Registry): Route<Principal> {
  return route(operations.createNode, (incoming) => created(nodes.create(at(incoming).publisherId, incoming)));
}

export function updateNodeRoute({ nodes }: Registry): Route<Principal> {
  return route(operations.updateNode, (incoming) => shown(nodes.update(at(incoming), incoming)));
}

export function deleteNodeRoute({ nodes }: Registry): Route<Principal> {
  return route(operations.deleteNode, (incoming) => done(nodes.delete(at(incoming), incoming)));
}

export function getNodePermissionsRoute({ nodes }: Registry): Route<Principal> {
  return route(operations.getNodePermissions, (incoming) => shown(nodes.permission(at(incoming), incoming)));
}

export function claimNodeRoute({ nodes }: Registry): Route<Principal> {
  return route(operations.claimNode, (incoming) => done(nodes.claim(at(incoming), incoming)));
}

export function createReviewRoute({ nodes }: Registry): Route<Principal> {
  return route(operations.createReview, async (incoming) => {
    const query = new RegistryQuery(incoming.query);
    const star = query.read("star", (text) => (/^[1-5]$/.test(text) ? Number(text) : null), "1 to 5");
    if (star === undefined) query.problem("star", "is required, from 1 to 5");
    query.requireNoProblem();
    return shown(nodes.rate(at(incoming).nodeId, star ?? 0, incoming));
  });
}

export function createNodeTranslationsRoute({ nodes }: Registry): Route<Principal> {
  return route(operations.createNodeTranslations, (incoming) =>
    created(nodes.translate(at(incoming).nodeId, incoming)),
  );
}
