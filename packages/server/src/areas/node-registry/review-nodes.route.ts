// The operators' routes for nodes and publishers; they only translate. Work over all nodes continues after the answer.

import { type GeneratedToken, operations } from "@atelier/contract";
import type { Registry } from "../../capabilities/registry/index.ts";
import { type AdminCaller, type AdminTokens, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { created, done, shown } from "./fresh-answers.ts";
import { RegistryQuery } from "./registry-query.ts";

export interface ReviewDeps {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly adminTokens: Pick<AdminTokens, "create">;
}

type Asking = Incoming<AdminCaller>;
const at = ({ params }: Asking) => ({ publisherId: params["publisherId"] ?? "", nodeId: params["nodeId"] ?? "" });
const generatedTokenMs = 3_600_000;

export function createNodeAsAdminRoute({ registry: { review } }: ReviewDeps): Route<AdminCaller> {
  return route(operations.createNodeAsAdmin, (incoming) => created(review.createNode(incoming)));
}

export function reviewNodeRoute({ registry: { review } }: ReviewDeps): Route<AdminCaller> {
  return route(operations.reviewNode, (incoming) => shown(review.reviewNode(at(incoming).nodeId, incoming)));
}

export function banPublisherRoute({ registry: { review } }: ReviewDeps): Route<AdminCaller> {
  return route(operations.banPublisher, (incoming) => done(review.banPublisher(at(incoming).publisherId, incoming)));
}

export function unbanPublisherRoute({ registry: { review } }: ReviewDeps): Route<AdminCaller> {
  return route(operations.unbanPublisher, (incoming) =>
    done(review.unbanPublisher(at(incoming).publisherId, incoming)),
  );
}

export function banNodeRoute({ registry: { review } }: ReviewDeps): Route<AdminCaller> {
  return route(operations.banNode, (incoming) => done(review.banNode(at(incoming), incoming)));
}

export function generateAdminTokenRoute(deps: ReviewDeps): Route<AdminCaller> {
  return route(operations.generateAdminToken, async ({ caller, requestId }) => {
    const expiresAt = new Date(deps.clock.now().getTime() + generatedTokenMs);
    const name = `generated ${requestId}`;
    const { secret } = await deps.adminTokens.create({ name, expiresAt }, actingAsAdmin(caller, requestId));
    const body: GeneratedToken = { token: secret, expires_at: expiresAt.toISOString() };
    return created(body);
  });
}

export function reindexNodesRoute({ registry: { review } }: ReviewDeps): Route<AdminCaller> {
  return route(operations.reindexNodes, () => {
    review.reindex();
    return { status: 204 };
  });
}

export function updateRepositoryStarsRoute({ registry: { review } }: ReviewDeps): Route<AdminCaller> {
  return route(operations.updateRepositoryStars, ({ query }) => {
    const asked = new RegistryQuery(query);
    const parse = (text: string) => (/^[1-9]\d*$/.test(text) ? Math.min(Number(text), 1_000_000) : null);
    const nodesMax = asked.read("max_batch", parse, "a whole number of 1 or more") ?? 100;
    asked.requireNoProblem();
    review.readStars(nodesMax);
    return { status: 204 };
  });
}
