// Puts the registry together: its routes, what readers are answered from, and the mirror where one is set. What runs
// beside requests runs in run().

import type { NodeVersion } from "@atelier/contract";
import type { AdminTokens } from "../../capabilities/admin-tokens/index.ts";
import type { Identity, Principal } from "../../capabilities/identity/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { Background } from "../../foundation/background.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import type { Area } from "../../foundation/http/area.ts";
import type { GuardedClient } from "../../foundation/http/guarded-client.ts";
import type { Log } from "../../foundation/log.ts";
import { type ArchiveCopies, type ArchiveCopiesDeps, createArchiveCopies } from "./mirror/archive-copies.ts";
import { followUpstream } from "./mirror/follow-upstream.ts";
import { createMirroredAddresses, type MirroredAddresses } from "./mirror/mirrored-addresses.ts";
import { type MirroredArchive, mirroredArchive, mirroredVersion } from "./mirror/mirrored-archive.ts";
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

export interface NodeRegistryDeps extends Omit<NodeDeps, "nodesChanged">, Omit<PresentNodeDeps, "mirroredUrl"> {
  readonly log: Log;
  readonly bus: Bus;
  readonly identity: Pick<Identity, "authenticate" | "members" | "workspaces">;
  readonly adminTokens: Pick<AdminTokens, "authenticate" | "create">;
  readonly limits: Pick<Limits, "admit">;
  // For the upstream registry and the code host.
  readonly client: Pick<GuardedClient, "request">;
  readonly blobs: ArchiveCopiesDeps["blobs"];
  readonly contentUrl: () => string;
  readonly settings: {
    readonly upstreamUrl: string | null;
    readonly upstreamSeconds: number;
    readonly upstreamArchives: "none" | "asked" | "latest";
    readonly upstreamArchiveBytes: number;
    readonly deletedDays: number;
    readonly installable: readonly string[];
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
  // An archive of the upstream registry, for the content origin; null: not one of its own.
  mirroredArchive(asked: { readonly id: string; readonly query: URLSearchParams }): Promise<MirroredArchive | null>;
  // A version of the upstream registry by its number; null: not one of its own.
  mirroredVersion(asked: { readonly nodeId: string; readonly version: string }): Promise<NodeVersion | null>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export function createNodeRegistry(deps: NodeRegistryDeps): NodeRegistry {
  const { settings, identity, client } = deps;
  const prepared = createPreparedAnswers(deps);
  const work = createWork(deps.log);
  const codeHost = createCodeHost({ client, apiUrl: settings.codeHostApiUrl, webHost: settings.codeHostName });
  const upstream = settings.upstreamUrl === null ? null : createUpstreamRegistry(client, settings.upstreamUrl);
  const copying = copyingOf(deps, upstream);
  const mirroredUrl: PresentNodeDeps["mirroredUrl"] = (version) => copying?.addresses.of(version) ?? null;
  const shared = { ...deps, prepared, codeHost, mirroredUrl, nodesChanged: prepared.nodesChanged };
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
      registryAreas(deps, mirrored([...own, versions], throughOf(deps, upstream, copying, prepared.nodesChanged))),
    async mirroredVersion(asked) {
      const version = upstream && (await mirroredVersion(knowing(deps, upstream), asked));
      return version && { ...version, ...addressIn(mirroredUrl(version)) };
    },
    mirroredArchive: async (asked) =>
      upstream && copying && mirroredArchive({ ...knowing(deps, upstream), ...copying, ...settings }, asked),
    async run(background, signal) {
      const following =
        upstream === null
          ? undefined
          : followUpstream({ ...shared, upstream, everySeconds: settings.upstreamSeconds }, background, signal);
      await Promise.all([
        prepared.run(background, signal),
        following,
        copying?.copies.run(background, signal),
        work.run(signal),
      ]);
      prepared.close();
    },
  };
}

function throughOf(
  deps: NodeRegistryDeps,
  upstream: UpstreamRegistry | null,
  copying: Copying | null,
  nodesChanged: NodeRegistry["nodesChanged"],
): ReadThrough | null {
  if (upstream === null) return null;
  const { installable } = deps.settings;
  return createReadThrough({ ...knowing(deps, upstream), installable, copying, nodesChanged });
}

const addressIn = (downloadUrl: string | null) => (downloadUrl === null ? {} : { downloadUrl });

function knowing({ database, clock, settings }: NodeRegistryDeps, upstream: UpstreamRegistry) {
  return { database, clock, upstream, freshSeconds: settings.upstreamSeconds };
}

interface Copying {
  readonly copies: ArchiveCopies;
  readonly addresses: MirroredAddresses;
}

const lookEverySecondsMax = 30;

function copyingOf(deps: NodeRegistryDeps, upstream: UpstreamRegistry | null): Copying | null {
  const { settings } = deps;
  if (upstream === null || settings.upstreamArchives === "none") return null;
  const copies = createArchiveCopies({
    ...deps,
    ...knowing(deps, upstream),
    withLatest: settings.upstreamArchives === "latest",
    bytesMax: settings.upstreamArchiveBytes,
    lookEverySeconds: Math.min(settings.upstreamSeconds, lookEverySecondsMax),
    deletedDays: settings.deletedDays,
  });
  return { copies, addresses: createMirroredAddresses(deps.contentUrl) };
}

const ofNode = new Set(["listNodeVersions", "getNodeVersion", "listDescriptors", "getDescriptor"]);

function mirrored(parts: readonly RegistryRoutes[], through: ReadThrough | null): readonly RegistryRoutes[] {
  if (through === null) return parts;
  return parts.map((part) => ({
    ...part,
    open: part.open.map((route) => {
      if (route.operation.id === "getNode") return through.bringing(route);
      if (route.operation.id === "getNodeByDescriptorName") return through.whereUnknown(route);
      if (route.operation.id === "installNode") return through.installing(route);
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
