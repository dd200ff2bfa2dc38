// The routes of publishers, their members and their tokens: translate, nothing else.

import {
  CreatePublisher,
  CreatePublisherMember,
  CreatePublisherToken,
  type EditPermission,
  operations,
  type PublisherAvailability,
  type RegistryUser,
  reservedPublisherIds,
  UpdatePublisher,
} from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import {
  accessAt,
  addPublisherMember,
  changePublisher,
  createPublisher,
  createPublisherToken,
  deletePublisher,
  endPublisherToken,
  findPublisher,
  isPublisherId,
  isPublisherIdTaken,
  listOwnPublishers,
  listPublisherMembers,
  listPublishers,
  type MemberDeps,
  noSuchPublisher,
  problemsOfPublisherId,
  readerOf,
  removePublisherMember,
  requirePublisherOwner,
} from "../../capabilities/registry/index.ts";
import { listPublisherTokens } from "../../capabilities/tokens/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { QueryReader } from "../../foundation/http/page-query.ts";
import { presentMember, presentPublishers, presentToken } from "./present-publisher.ts";
import type { RegistryRoutes } from "./registry-areas.ts";
import { readRegistryBody } from "./registry-body.ts";
import { type ReaderDeps, whoReads } from "./registry-caller.ts";

export interface PublisherRouteDeps extends MemberDeps, ReaderDeps {
  personOf(caller: Principal): Promise<{ name: string; email: string | null } | null>;
}

const fresh = { "cache-control": "no-store" };
const publisherOf = ({ params }: Pick<Incoming<unknown>, "params">) => params["publisherId"] ?? "";

export function publisherRoutes(deps: PublisherRouteDeps): RegistryRoutes {
  return {
    open: [validatePublisherIdRoute(deps), getPublisherRoute(deps)],
    members: [
      getRegistryUserRoute(deps),
      listMyPublishersRoute(deps),
      listPublishersRoute(deps),
      getPublisherPermissionsRoute(deps),
      createPublisherRoute(deps),
      updatePublisherRoute(deps),
      deletePublisherRoute(deps),
      listPublisherMembersRoute(deps),
      createPublisherMemberRoute(deps),
      deletePublisherMemberRoute(deps),
      createPublisherTokenRoute(deps),
      listPublisherTokensRoute(deps),
      deletePublisherTokenRoute(deps),
    ],
    operators: [],
  };
}

export function validatePublisherIdRoute(deps: PublisherRouteDeps): Route<undefined> {
  return {
    operation: operations.validatePublisherId,
    async handle({ query }) {
      const reader = new QueryReader(query);
      const id = reader.read("username", (text) => text, "an id");
      if (id === undefined) reader.problem("username", "is required");
      reader.requireNoProblem();
      if (reservedPublisherIds.some((word) => word === id)) {
        throw new Fault("invalid_request", "This publisher id is a reserved word.");
      }
      if (id === undefined || !isPublisherId(id)) {
        throw new Fault("invalid_request", "A publisher id is lower-case letters, digits and hyphens after a letter.");
      }
      if (await isPublisherIdTaken(deps.database, id)) {
        throw new Fault("invalid_request", "This publisher id is taken.");
      }
      const body: PublisherAvailability = { isAvailable: true };
      return jsonAnswer(200, body, fresh);
    },
  };
}

export function getPublisherRoute(deps: PublisherRouteDeps): Route<undefined> {
  return {
    operation: operations.getPublisher,
    async handle(incoming) {
      const reader = await whoReads(deps, incoming);
      const id = publisherOf(incoming);
      const found = isPublisherId(id) ? await findPublisher(deps.database, id, reader) : null;
      const [publisher] = found === null ? [] : await presentPublishers(deps.database, [found], reader);
      if (publisher === undefined) throw noSuchPublisher();
      return jsonAnswer(200, publisher, fresh);
    },
  };
}

export function getRegistryUserRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.getRegistryUser,
    async handle({ caller }) {
      const person = await deps.personOf(caller);
      const body: RegistryUser = {
        id: caller.personId ?? caller.workspaceId,
        ...(person === null ? {} : { name: person.name }),
        ...(person?.email ? { email: person.email } : {}),
        isAdmin: false,
        isApproved: true,
      };
      return jsonAnswer(200, body, fresh);
    },
  };
}

export function listMyPublishersRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.listMyPublishers,
    handle: ({ caller }) => answerList(deps, caller, listOwnPublishers),
  };
}

export function listPublishersRoute(deps: PublisherRouteDeps): Route<Principal> {
  return { operation: operations.listPublishers, handle: ({ caller }) => answerList(deps, caller, listPublishers) };
}

async function answerList({ database }: PublisherRouteDeps, caller: Principal, list: typeof listPublishers) {
  const reader = readerOf(caller);
  return jsonAnswer(200, await presentPublishers(database, await list(database, reader), reader), fresh);
}

export function getPublisherPermissionsRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.getPublisherPermissions,
    async handle(incoming) {
      const { publisher, role } = await accessAt(deps.database, incoming.caller, publisherOf(incoming));
      const body: EditPermission = { canEdit: role !== null && publisher.status === "PublisherStatusActive" };
      return jsonAnswer(200, body, fresh);
    },
  };
}

export function createPublisherRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.createPublisher,
    async handle(incoming) {
      const body = await readRegistryBody(CreatePublisher, incoming, problemsOfPublisherId);
      const made = await createPublisher(deps, body, incoming);
      const [publisher] = await presentPublishers(deps.database, [made], readerOf(incoming.caller));
      return jsonAnswer(201, publisher, fresh);
    },
  };
}

export function updatePublisherRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.updatePublisher,
    async handle(incoming) {
      await requireMemberFirst(deps, incoming);
      const body = await readRegistryBody(UpdatePublisher, incoming);
      const changed = await changePublisher(deps, publisherOf(incoming), body, incoming);
      const [publisher] = await presentPublishers(deps.database, [changed], readerOf(incoming.caller));
      return jsonAnswer(200, publisher, fresh);
    },
  };
}

export function deletePublisherRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.deletePublisher,
    async handle(incoming) {
      await deletePublisher(deps, publisherOf(incoming), incoming);
      return { status: 204 };
    },
  };
}

export function listPublisherMembersRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.listPublisherMembers,
    async handle(incoming) {
      await requireMemberFirst(deps, incoming);
      const members = await listPublisherMembers(deps.database, [publisherOf(incoming)]);
      return jsonAnswer(
        200,
        members.map((member) => presentMember(member, true)),
        fresh,
      );
    },
  };
}

export function createPublisherMemberRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.createPublisherMember,
    async handle(incoming) {
      await requirePublisherOwner(deps.database, incoming.caller, publisherOf(incoming));
      const body = await readRegistryBody(CreatePublisherMember, incoming);
      const member = await addPublisherMember(deps, publisherOf(incoming), body, incoming);
      return jsonAnswer(201, presentMember(member, true), fresh);
    },
  };
}

export function deletePublisherMemberRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.deletePublisherMember,
    async handle(incoming) {
      await removePublisherMember(deps, publisherOf(incoming), incoming.params["memberId"] ?? "", incoming);
      return { status: 204 };
    },
  };
}

export function createPublisherTokenRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.createPublisherToken,
    async handle(incoming) {
      await requirePublisherOwner(deps.database, incoming.caller, publisherOf(incoming));
      const body = await readRegistryBody(CreatePublisherToken, incoming);
      return jsonAnswer(201, await createPublisherToken(deps, publisherOf(incoming), body, incoming), fresh);
    },
  };
}

export function listPublisherTokensRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.listPublisherTokens,
    async handle(incoming) {
      const { id } = await requirePublisherOwner(deps.database, incoming.caller, publisherOf(incoming));
      return jsonAnswer(200, (await listPublisherTokens(deps.database, id)).map(presentToken), fresh);
    },
  };
}

export function deletePublisherTokenRoute(deps: PublisherRouteDeps): Route<Principal> {
  return {
    operation: operations.deletePublisherToken,
    async handle(incoming) {
      await endPublisherToken(deps, publisherOf(incoming), incoming.params["tokenId"] ?? "", incoming);
      return { status: 204 };
    },
  };
}

// A stranger hears that they are one before anything is said about what they sent.
async function requireMemberFirst(deps: PublisherRouteDeps, incoming: Incoming<Principal>): Promise<void> {
  const { role } = await accessAt(deps.database, incoming.caller, publisherOf(incoming));
  if (role === null) throw new Fault("forbidden", "You are not a member of this publisher.");
}
