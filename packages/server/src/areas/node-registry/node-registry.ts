// The registry over HTTP: its routes in their three areas, and its archives on the content origin.

import type { Assets } from "../../capabilities/assets/index.ts";
import type { Identity } from "../../capabilities/identity/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import { type Registry, receiveArchive } from "../../capabilities/registry/index.ts";
import type { AdminTokens } from "../../capabilities/tokens/index.ts";
import type { Area, Route } from "../../foundation/http/area.ts";
import { getNodeArchiveRoute } from "./archive.route.ts";
import { changeNodeRoutes, type RequiredNodeField } from "./change-nodes.route.ts";
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
  readonly identity: Pick<Identity, "authenticate" | "workspaces">;
  readonly adminTokens: Pick<AdminTokens, "authenticate" | "create">;
  readonly limits: Limits;
  readonly requiredFields: readonly RequiredNodeField[];
}

export function nodeRegistry({ registry, ...callers }: NodeRegistryDeps): readonly Area[] {
  const deps = { ...registry, ...callers, prepared: createPreparedAnswers(registry) };
  const { workspaces } = callers.identity;
  const publishing = publishRoutes(deps);
  const descriptors = descriptorRoutes(deps);
  return registryAreas(deps, [
    publisherRoutes({
      ...deps,
      personOf: async ({ personId }) => (personId === null ? null : workspaces.person(personId)),
    }),
    { open: readNodeRoutes(deps), members: changeNodeRoutes(deps), operators: reviewNodeRoutes(deps) },
    { ...publishing, operators: reviewRoutes(deps) },
    { open: readVersionRoutes(deps), members: [], operators: [] },
    descriptors,
  ]);
}

export interface NodeArchives {
  // Null: the address is not one of an archive.
  receive(upload: Parameters<typeof receiveArchive>[1]): ReturnType<typeof receiveArchive>;
  contentRoute(assets: Pick<Assets, "content">): Route<unknown>;
}

// For the content origin, where archives are put and read.
export function nodeArchives(registry: Registry): NodeArchives {
  return {
    receive: (upload) => receiveArchive(registry, upload),
    contentRoute: (assets) => getNodeArchiveRoute(registry, assets),
  };
}
