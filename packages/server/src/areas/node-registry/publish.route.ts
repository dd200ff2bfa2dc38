// The routes of a publisher's own versions. Publishing takes the publisher's token in the body or a member's credential;
// a token in the body wins, so that a tool with a leftover header publishes as whom it names.

import { operations, PublishNodeVersion, UpdateNodeVersion } from "@atelier/contract";
import { actingAs, type Principal, unauthorized } from "../../capabilities/identity/index.ts";
import {
  type ArchiveAddresses,
  type AskedPublish,
  type ChangeDeps,
  type ChangeVersionDeps,
  deleteVersion,
  findPublisher,
  memberIn,
  operator,
  publisherBanned,
  publishProblems,
  publishVersion,
  type ReadVersionDeps,
  readerOf,
  readReview,
  requireOwnVersion,
  requirePublisherMember,
  showById,
  updateVersion,
} from "../../capabilities/registry/index.ts";
import { publisherOfToken } from "../../capabilities/tokens/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import type { RegistryRoutes } from "./registry-areas.ts";
import { readRegistryBody } from "./registry-body.ts";
import { type ActorDeps, requireMember } from "./registry-caller.ts";

export interface PublishRouteDeps extends ChangeDeps, ChangeVersionDeps, ReadVersionDeps, ActorDeps {
  readonly addresses: ArchiveAddresses;
}

const fresh = { "cache-control": "no-store" };

export function publishRoutes(deps: PublishRouteDeps): Pick<RegistryRoutes, "open" | "members"> {
  return {
    open: [publishNodeVersionRoute(deps)],
    members: [updateNodeVersionRoute(deps), deleteNodeVersionRoute(deps), getVersionReviewRoute(deps)],
  };
}

export function updateNodeVersionRoute(deps: PublishRouteDeps): Route<Principal> {
  return {
    operation: operations.updateNodeVersion,
    async handle(incoming) {
      const body = await readRegistryBody(UpdateNodeVersion, incoming);
      const id = await updateVersion(deps, parametersOf(incoming), body, incoming);
      return jsonAnswer(200, await showById(deps, id, readerOf(incoming.caller)), fresh);
    },
  };
}

export function deleteNodeVersionRoute(deps: PublishRouteDeps): Route<Principal> {
  return {
    operation: operations.deleteNodeVersion,
    async handle(incoming) {
      await deleteVersion(deps, parametersOf(incoming), incoming);
      return { status: 204 };
    },
  };
}

export function getVersionReviewRoute(deps: PublishRouteDeps): Route<Principal> {
  return {
    operation: operations.getVersionReview,
    async handle(incoming) {
      const at = parametersOf(incoming);
      await requirePublisherMember(deps.database, incoming.caller, at.publisherId);
      const version = await requireOwnVersion(deps, at, readerOf(incoming.caller));
      return jsonAnswer(200, await readReview(deps, version, { withNames: false }), fresh);
    },
  };
}

export function publishNodeVersionRoute(deps: PublishRouteDeps): Route<undefined> {
  return {
    operation: operations.publishNodeVersion,
    async handle(incoming) {
      const { publisherId, nodeId } = parametersOf(incoming);
      const token = await tokenIn(incoming);
      const by = token ? await byToken(deps, publisherId, token) : await byMember(deps, publisherId, incoming);
      const body = await readRegistryBody(PublishNodeVersion, incoming, (it) => publishProblems(nodeId, it));
      const asked = { ...by, nodeId, body, requestId: incoming.requestId };
      const id = await publishVersion(deps, asked);
      return jsonAnswer(
        201,
        { node_version: await showById(deps, id, operator), signedUrl: deps.addresses.upload(id) },
        fresh,
      );
    },
  };
}

// Who publishes comes before what: a body that cannot be read holds no token.
async function tokenIn(incoming: Incoming<undefined>): Promise<string | null> {
  const body = await incoming.json().catch((thrown: unknown) => {
    if (thrown instanceof Fault && thrown.status < 500) return null;
    throw thrown;
  });
  const token = memberIn(body, "personal_access_token");
  return typeof token === "string" ? token : null;
}

type By = Pick<AskedPublish, "publisher" | "actor">;

async function byToken(deps: PublishRouteDeps, publisherId: string, secret: string): Promise<By> {
  const token = await publisherOfToken(deps.database, deps.clock, secret);
  if (token === null) throw new Fault("unauthorized", "This publisher token is unknown, revoked or past its end.");
  if (token.publisherId !== publisherId) throw new Fault("forbidden", "This token belongs to another publisher.");
  const publisher = await findPublisher(deps.database, publisherId, operator);
  if (publisher === null) throw unauthorized();
  if (publisher.status === "PublisherStatusBanned") throw publisherBanned();
  await deps.limits.admit(publisher.workspaceId, "workflow_and_registry");
  return { publisher, actor: { kind: "key", id: token.id } };
}

async function byMember(deps: PublishRouteDeps, publisherId: string, incoming: Incoming<undefined>): Promise<By> {
  const principal = await requireMember(deps, incoming);
  const publisher = await requirePublisherMember(deps.database, principal, publisherId);
  const { kind, id } = actingAs(principal, incoming.requestId).actor;
  return { publisher, actor: { kind: kind === "person" ? "person" : "key", id } };
}

function parametersOf({ params }: Pick<Incoming<unknown>, "params">) {
  return {
    publisherId: params["publisherId"] ?? "",
    nodeId: params["nodeId"] ?? "",
    versionId: params["versionId"] ?? "",
  };
}
