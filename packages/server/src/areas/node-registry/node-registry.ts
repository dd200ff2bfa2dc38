// The registry over HTTP: its routes in their three areas, and its archives on the content origin.

import type { Assets } from "../../capabilities/assets/index.ts";
import type { Identity } from "../../capabilities/identity/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { Registry } from "../../capabilities/registry/index.ts";
import type { AdminTokens } from "../../capabilities/tokens/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Area, Route } from "../../foundation/http/area.ts";
import { getNodeArchiveRoute } from "./archive.route.ts";
import { changeNodeRoutes } from "./change-nodes.route.ts";
import { descriptorRoutes } from "./descriptors.route.ts";
import { createPreparedAnswers } from "./prepared-answers.ts";
import { publishRoutes } from "./publish.route.ts";
import { publisherRoutes } from "./publishers.route.ts";
import { readNodeRoutes } from "./read-nodes.route.ts";
import { readVersionRoutes } from "./read-versions.route.ts";
import { registryAreas } from "./registry-areas.ts";
import { reviewNodeRoutes } from "./review-nodes.route.ts";
import { reviewRoutes } from "./review-versions.route.ts";

export interface NodeRegistryDeps {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly identity: Pick<Identity, "authenticate" | "workspaces">;
  readonly adminTokens: Pick<AdminTokens, "authenticate" | "create">;
  readonly limits: Limits;
}

export function nodeRegistry(given: NodeRegistryDeps): readonly Area[] {
  const { registry, clock } = given;
  const { workspaces } = given.identity;
  const deps = { ...given, prepared: createPreparedAnswers({ clock, changes: registry.reading }) };
  return registryAreas(deps, [
    publisherRoutes({
      ...deps,
      personOf: async ({ personId }) => (personId === null ? null : workspaces.person(personId)),
    }),
    { open: readNodeRoutes(deps), members: changeNodeRoutes(registry), operators: reviewNodeRoutes(deps) },
    { ...publishRoutes(deps), operators: reviewRoutes(registry) },
    { open: readVersionRoutes(deps), members: [], operators: [] },
    descriptorRoutes(deps),
  ]);
}

export interface NodeArchives extends Pick<Registry["versions"], "receive"> {
  contentRoute(assets: Pick<Assets, "content">): Route<unknown>;
}

// For the content origin, where archives are uploaded and read.
export function nodeArchives(registry: Registry): NodeArchives {
  return {
    receive: registry.versions.receive,
    contentRoute: (assets) => getNodeArchiveRoute(registry, assets),
  };
}
