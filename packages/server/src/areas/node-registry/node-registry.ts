// The registry over HTTP: its routes in their three areas, and its archives on the content origin.

import type { Assets } from "../../capabilities/assets/index.ts";
import type { Identity } from "../../capabilities/identity/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { Registry } from "../../capabilities/registry/index.ts";
import type { AdminTokens } from "../../capabilities/tokens/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { type Area, type Route, routesOf } from "../../foundation/http/area.ts";
import { getNodeArchiveRoute } from "./archive.route.ts";
import * as changeNodes from "./change-nodes.route.ts";
import { descriptorRoutes } from "./descriptors.route.ts";
import { createPreparedAnswers } from "./prepared-answers.ts";
import { publishRoutes } from "./publish.route.ts";
import { publisherRoutes } from "./publishers.route.ts";
import * as readNodes from "./read-nodes.route.ts";
import * as readVersions from "./read-versions.route.ts";
import { registryAreas } from "./registry-areas.ts";
import * as reviewNodes from "./review-nodes.route.ts";
import * as reviewVersions from "./review-versions.route.ts";

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
    {
      open: routesOf(deps, readNodes, readVersions),
      members: routesOf(registry, changeNodes),
      operators: [...routesOf(deps, reviewNodes), ...routesOf(registry, reviewVersions)],
    },
    publishRoutes(deps),
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
