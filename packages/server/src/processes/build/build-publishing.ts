// Publishing: saved workflows become works. Their examples run as ordinary jobs of the shared pool.
import type { AccountDeps } from "../../areas/account/index.ts";
import { type PublishingPortDeps, publishingPorts } from "../../areas/workflows/index.ts";
import type { SavedWorkflows } from "../../capabilities/saved-workflows/index.ts";
import { createWorkLinks, createWorks } from "../../capabilities/works/index.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface PublishingBuildDeps extends ServingDeps, Omit<PublishingPortDeps, "workspaces"> {
  readonly savedWorkflows: SavedWorkflows;
}

export function buildPublishing(deps: PublishingBuildDeps): AccountDeps["works"] {
  const { submitting, savedWorkflows, assets, clock } = deps;
  const { audit, identity } = deps.capabilities;
  const { database } = deps.storage;
  const links = createWorkLinks({ database, keys: identity.keys, caps: deps.paying.keyCaps });
  const works = createWorks({
    endLinks: (caller, work) => links.endAll(caller, work),
    database,
    clock,
    audit,
    assets,
    saved: savedWorkflows,
    graphs: submitting.graphs,
    json: submitting.bodies,
    ports: publishingPorts({ ...deps, workspaces: identity.workspaces }),
  });
  return { works, links, savedWorkflows, bodies: submitting.bodies, pageUrl: deps.baseUrl };
}
