// The routes of publishers, their members and their tokens; they only translate.

import { operations, type PublisherAvailability, type RegistryUser } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { Registry } from "../../capabilities/registry/index.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { QueryReader } from "../../foundation/http/page-query.ts";
import { created, done, shown } from "./fresh-answers.ts";
import type { RegistryRoutes } from "./registry-areas.ts";
import { identifyReader, type RegistryRouteDeps } from "./registry-caller.ts";

export interface PublisherRouteDeps extends RegistryRouteDeps {
  personOf(caller: Principal): Promise<{ name: string; email: string | null } | null>;
}

const publisherOf = ({ params }: Pick<Incoming<unknown>, "params">) => params["publisherId"] ?? "";

export function publisherRoutes(deps: PublisherRouteDeps): RegistryRoutes {
  const { registry } = deps;
  return {
    open: [validatePublisherIdRoute(registry), getPublisherRoute(deps)],
    members: [
      getRegistryUserRoute(deps),
      listMyPublishersRoute(registry),
      listPublishersRoute(registry),
      getPublisherPermissionsRoute(registry),
      createPublisherRoute(registry),
      updatePublisherRoute(registry),
      deletePublisherRoute(registry),
      listPublisherMembersRoute(registry),
      createPublisherMemberRoute(registry),
      deletePublisherMemberRoute(registry),
      createPublisherTokenRoute(registry),
      listPublisherTokensRoute(registry),
      deletePublisherTokenRoute(registry),
    ],
    operators: [],
  };
}

export function validatePublisherIdRoute({ publishers }: Registry): Route<undefined> {
  return route(operations.validatePublisherId, async ({ query }) => {
    const reader = new QueryReader(query);
    const id = reader.read("username", (text) => text, "an id");
    if (id === undefined) reader.problem("username", "is required");
    reader.requireNoProblem();
    await publishers.requireFree(id ?? "");
    const body: PublisherAvailability = { isAvailable: true };
    return shown(body);
  });
}

export function getPublisherRoute(deps: PublisherRouteDeps): Route<undefined> {
  return route(operations.getPublisher, async (incoming) => {
    const reader = await identifyReader(deps, incoming);
    return shown(deps.registry.publishers.find(publisherOf(incoming), reader));
  });
}

export function getRegistryUserRoute(deps: PublisherRouteDeps): Route<Principal> {
  return route(operations.getRegistryUser, async ({ caller }) => {
    const person = await deps.personOf(caller);
    const body: RegistryUser = {
      id: caller.personId ?? caller.workspaceId,
      ...(person === null ? {} : { name: person.name }),
      ...(person?.email ? { email: person.email } : {}),
      isAdmin: false,
      isApproved: true,
    };
    return shown(body);
  });
}

export function listMyPublishersRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.listMyPublishers, (incoming) => shown(publishers.listOwn(incoming.caller)));
}

export function listPublishersRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.listPublishers, (incoming) => shown(publishers.list(incoming.caller)));
}

export function getPublisherPermissionsRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.getPublisherPermissions, (incoming) =>
    shown(publishers.permission(publisherOf(incoming), incoming)),
  );
}

export function createPublisherRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.createPublisher, (incoming) => created(publishers.create(incoming)));
}

export function updatePublisherRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.updatePublisher, (incoming) => shown(publishers.update(publisherOf(incoming), incoming)));
}

export function deletePublisherRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.deletePublisher, (incoming) => done(publishers.delete(publisherOf(incoming), incoming)));
}

export function listPublisherMembersRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.listPublisherMembers, (incoming) =>
    shown(publishers.members(publisherOf(incoming), incoming)),
  );
}

export function createPublisherMemberRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.createPublisherMember, (incoming) =>
    created(publishers.addMember(publisherOf(incoming), incoming)),
  );
}

export function deletePublisherMemberRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.deletePublisherMember, (incoming) =>
    done(publishers.removeMember(publisherOf(incoming), incoming.params["memberId"] ?? "", incoming)),
  );
}

export function createPublisherTokenRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.createPublisherToken, (incoming) =>
    created(publishers.createToken(publisherOf(incoming), incoming)),
  );
}

export function listPublisherTokensRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.listPublisherTokens, (incoming) => shown(publishers.tokens(publisherOf(incoming), incoming)));
}

export function deletePublisherTokenRoute({ publishers }: Registry): Route<Principal> {
  return route(operations.deletePublisherToken, (incoming) =>
    done(publishers.endToken(publisherOf(incoming), incoming.params["tokenId"] ?? "", incoming)),
  );
}
