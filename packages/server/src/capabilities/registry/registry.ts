// Builds the registry: six parts with methods, each built once with what it needs. run() does the background work.
import { type Background, everyStep } from "../../foundation/background.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import type { GuardedClient } from "../../foundation/http/outgoing/guarded-client.ts";
import type { Limits } from "../limits/index.ts";
import type { KeyRing } from "../secrets/index.ts";
import { createDescriptors, type Descriptors } from "./descriptors/descriptors.ts";
import { createMirror, type MirrorDeps, type MirrorSettings } from "./mirror/mirror.ts";
import type { ChangeNodeDeps } from "./nodes/change-node.ts";
import { createCodeHost } from "./nodes/code-host.ts";
import { createNodeChanges } from "./nodes/node-changes.ts";
import { createNodes, type Nodes } from "./nodes/nodes.ts";
import { readStars } from "./nodes/read-stars.ts";
import { createNodePolicies } from "./policies/node-policies.ts";
import type { MemberDeps } from "./publishers/change-members.ts";
import { createPublishers, type Publishers } from "./publishers/publishers.ts";
import { createOwnReader } from "./reading/own-reader.ts";
import { createReading, type Reading } from "./reading/reading.ts";
import { createReview, type Review } from "./review/review.ts";
import { reindexNodes } from "./search/reindex.ts";
import { createUpkeep } from "./upkeep.ts";
import { createArchiveAddresses } from "./versions/archive-addresses.ts";
import { checkInBackground } from "./versions/check-version.ts";
import { type EndDeletedDeps, endDeleted } from "./versions/end-deleted.ts";
import { forgetInstalls } from "./versions/install-store.ts";
import { readInBackground } from "./versions/read-waiting.ts";
import type { ReceiveArchiveDeps } from "./versions/receive-archive.ts";
import type { VersionNotices } from "./versions/version-notices.ts";
import { createVersions, type Versions } from "./versions/versions.ts";

export interface RegistryDeps
  extends Omit<ReceiveArchiveDeps, "addresses" | "nodesChanged">,
    Omit<MemberDeps, "nodesChanged">,
    Pick<ChangeNodeDeps, "requiredFields">,
    Pick<MirrorDeps, "log" | "blobs" | "contentUrl" | "installable" | "deletedDays"> {
  readonly blobs: ReceiveArchiveDeps["blobs"];
  readonly clock: ReceiveArchiveDeps["clock"];
  readonly log: ReceiveArchiveDeps["log"];
  readonly limits: Pick<Limits, "admit" | "limitOf">;
  readonly bus: Bus;
  readonly keyRing: KeyRing;
  // Used for the upstream registry and the code host.
  readonly client: Pick<GuardedClient, "request">;
  // Null if this registry mirrors no other.
  readonly upstream: MirrorSettings | null;
  readonly codeHostApiUrl: string;
  readonly codeHostName: string;
  // Tells publishers' workspaces of decisions about versions.
  readonly notices?: VersionNotices;
}

export interface Registry {
  readonly publishers: Publishers;
  readonly nodes: Nodes;
  readonly versions: Versions;
  readonly descriptors: Descriptors;
  // What operators do.
  readonly review: Review;
  readonly reading: Reading;
  // Call before the first request, so that no graph passes before the restricted classes are known.
  load(): Promise<void>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export function createRegistry(given: RegistryDeps): Registry {
  const { database, bus, client, upstream } = given;
  const changes = createNodeChanges({ database, bus });
  const policies = createNodePolicies({ database, bus });
  const codeHost = createCodeHost({ client, apiUrl: given.codeHostApiUrl, webHost: given.codeHostName });
  const addresses = createArchiveAddresses(given);
  const basis = { ...given, addresses, policies, codeHost, changes, nodesChanged: changes.nodesChanged };
  const own = createOwnReader(basis);
  const mirror = upstream && createMirror(basis, upstream, own);
  const read = mirror?.read ?? own;
  const upkeep = createUpkeep(given.log);
  const deps = {
    ...basis,
    read,
    latestUrl: read.latestUrl,
    reindex: () => upkeep.begin("reindex", (signal) => reindexNodes(database, signal)),
    readStars: (nodesMax: number) => upkeep.begin("stars", (signal) => readStars(basis, nodesMax, signal)),
  };
  return {
    publishers: createPublishers(deps),
    nodes: createNodes(deps),
    versions: createVersions(deps),
    descriptors: createDescriptors(deps),
    review: createReview(deps),
    reading: createReading(deps),
    load: policies.load,
    async run(background, signal) {
      const round = (stopping: AbortSignal) => tidy(deps, stopping);
      await Promise.all([
        changes.run(background, signal),
        policies.run(background, signal),
        checkInBackground(deps, background, signal),
        readInBackground(deps, background, signal),
        background.run(
          { name: "registry: end deleted versions", role: "background", everyMs: tidyEveryMs, round },
          signal,
        ),
        mirror?.run(background, signal),
        upkeep.run(signal),
      ]);
    },
  };
}

const dayMs = 86_400_000;
const tidyEveryMs = 3_600_000;

function tidy(deps: EndDeletedDeps, signal: AbortSignal): Promise<void> {
  const yesterday = new Date(deps.clock.now().getTime() - dayMs).toISOString().slice(0, 10);
  return everyStep({
    "installs of past days": () => forgetInstalls(deps.database, yesterday),
    "deleted nodes": () => endDeleted(deps, signal),
  });
}
