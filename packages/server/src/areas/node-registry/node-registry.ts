// Puts the registry together: its routes, what readers are answered from, and the mirror where one is set. What runs
// beside requests runs in run().
import type { AdminTokens } from "../../capabilities/admin-tokens/index.ts";
import type { Identity, Principal } from "../../capabilities/identity/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import type { Area } from "../../foundation/http/area.ts";
import type { GuardedClient } from "../../foundation/http/guarded-client.ts";
import type { Log } from "../../foundation/log.ts";
import { followUpstream } from "./mirror/follow-upstream.ts";
import { createReadThrough, type ReadThrough } from "./mirror/read-through.ts";
import { createUpstreamRegistry, type UpstreamRegistry } from "./mirror/upstream-registry.ts";
import type { NodeDeps } from "./nodes/change-node.ts";
import { changeNodeRoutes, type RequiredNodeField } from "./nodes/change-nodes.route.ts";
import { createCodeHost } from "./nodes/code-host.ts";
import { createPreparedAnswers } from "./nodes/prepared-answers.ts";
import type { PresentNodeDeps } from "./nodes/present-node.ts";
import { readNodeRoutes } from "./nodes/read-nodes.route.ts";
import { publisherRoutes } from "./publishers/publishers.route.ts";
import { type RegistryRoutes, registryAreas } from "./registry-areas.ts";
import { readStars } from "./review/read-stars.ts";
import { reviewNodeRoutes } from "./review/review-nodes.route.ts";
import { reindexNodes } from "./search/reindex.ts";

export interface NodeRegistryDeps extends Omit<NodeDeps, "nodesChanged">, PresentNodeDeps {
  readonly log: Log;
  readonly bus: Bus;
  readonly identity: Pick<Identity, "authenticate" | "members" | "workspaces">;
  readonly adminTokens: Pick<AdminTokens, "authenticate" | "create">;
  readonly limits: Pick<Limits, "admit">;
  // For the upstream registry and the code host.
  readonly client: Pick<GuardedClient, "request">;
  readonly settings: {
    readonly upstreamUrl: string | null;
    readonly upstreamSeconds: number;
    readonly requiredFields: readonly RequiredNodeField[];
    readonly publishersMax: number;
    readonly codeHostApiUrl: string;
    readonly codeHostName: string;
  };
}

export interface NodeRegistry {
  // `versions`: the routes of versions, descriptors and publishing.
  areas(versions: RegistryRoutes): readonly Area[];
  // Folded ids of nodes that readers see differently now, once that is committed.
  nodesChanged(folded: readonly string[]): void;
  run(signal: AbortSignal): Promise<void>;
}

export function createNodeRegistry(deps: NodeRegistryDeps): NodeRegistry {
  const { settings, identity, client } = deps;
  const prepared = createPreparedAnswers(deps);
  const work = createWork(deps.log);
  const codeHost = createCodeHost({ client, apiUrl: settings.codeHostApiUrl, webHost: settings.codeHostName });
  const shared = { ...deps, prepared, codeHost, nodesChanged: prepared.nodesChanged };
  const upstream = settings.upstreamUrl === null ? null : createUpstreamRegistry(client, settings.upstreamUrl);
  const own: RegistryRoutes[] = [
    publisherRoutes({
      ...shared,
      publishersPerPersonMax: settings.publishersMax,
      people: identity.members,
      personOf: async (caller: Principal) =>
        caller.personId === null ? null : identity.workspaces.person(caller.personId),
    }),
    {
      open: readNodeRoutes(shared),
      members: changeNodeRoutes({ ...shared, requiredFields: settings.requiredFields }),
      operators: reviewNodeRoutes({
        ...shared,
        reindex: () => work.begin("reindex", async (signal) => void (await reindexNodes(deps.database, signal))),
        readStars: (nodesMax) =>
          work.begin("stars", async (signal) => void (await readStars(shared, nodesMax, signal))),
      }),
    },
  ];
  return {
    nodesChanged: prepared.nodesChanged,
    areas: (versions) =>
      registryAreas(deps, mirrored([...own, versions], throughOf(deps, upstream, prepared.nodesChanged))),
    async run(signal) {
      const following =
        upstream === null
          ? undefined
          : followUpstream({ ...shared, upstream, everySeconds: settings.upstreamSeconds }, signal);
      await Promise.all([prepared.run(signal), following, work.run(signal)]);
      prepared.close();
    },
  };
}

function throughOf(
  deps: NodeRegistryDeps,
  upstream: UpstreamRegistry | null,
  nodesChanged: NodeRegistry["nodesChanged"],
): ReadThrough | null {
  if (upstream === null) return null;
  const { database, clock, settings } = deps;
  return createReadThrough({ database, clock, upstream, freshSeconds: settings.upstreamSeconds, nodesChanged });
}

const ofNode = new Set(["listNodeVersions", "getNodeVersion", "installNode", "listDescriptors", "getDescriptor"]);

function mirrored(parts: readonly RegistryRoutes[], through: ReadThrough | null): readonly RegistryRoutes[] {
  if (through === null) return parts;
  return parts.map((part) => ({
    ...part,
    open: part.open.map((route) => {
      if (route.operation.id === "getNode") return through.bringing(route);
      if (route.operation.id === "getNodeByDescriptorName") return through.whereUnknown(route);
      return ofNode.has(route.operation.id) ? through.ofNode(route) : route;
    }),
  }));
}

// Work that an operator began and nobody waits for; one of a kind at a time, and none goes on after the end.
function createWork(log: Log) {
  const running = new Map<string, Promise<void>>();
  const ending = new AbortController();
  return {
    begin(name: string, task: (signal: AbortSignal) => Promise<void>): void {
      if (running.has(name) || ending.signal.aborted) return;
      const done = task(ending.signal)
        .catch((thrown: unknown) => log.warn({ err: thrown, work: name }, "work on the registry failed"))
        .finally(() => running.delete(name));
      running.set(name, done);
    },
    async run(signal: AbortSignal): Promise<void> {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      ending.abort();
      await Promise.all(running.values());
    },
  };
}
