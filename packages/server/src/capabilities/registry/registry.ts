// Puts the registry together: what its use cases are given, what readers are answered by, and the mirror where one is set.
// What runs beside requests runs in run().
import { type Background, everyStep } from "../../foundation/background.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import type { GuardedClient } from "../../foundation/http/guarded-client.ts";
import type { KeyRing } from "../secrets/index.ts";
import type { DescriptorDeps } from "./descriptors/change-descriptors.ts";
import { createMirror, type MirrorDeps, type MirrorSettings } from "./mirror/mirror.ts";
import type { ClaimDeps } from "./nodes/claim-node.ts";
import { createCodeHost } from "./nodes/code-host.ts";
import { createNodeChanges, type NodeChanges } from "./nodes/node-changes.ts";
import { readStars } from "./nodes/read-stars.ts";
import { createNodePolicies, type NodePolicies } from "./policies/node-policies.ts";
import type { MemberDeps } from "./publishers/change-members.ts";
import { createOwnReader, type OwnReaderDeps } from "./reading/own-reader.ts";
import type { RegistryReader } from "./reading/registry-reader.ts";
import { reindexNodes } from "./search/reindex.ts";
import { createUpkeep } from "./upkeep.ts";
import { createArchiveAddresses } from "./versions/archive-addresses.ts";
import { checkInBackground } from "./versions/check-version.ts";
import { type EndDeletedDeps, endDeleted } from "./versions/end-deleted.ts";
import { forgetInstalls } from "./versions/install-store.ts";
import type { ReceiveArchiveDeps } from "./versions/receive-archive.ts";

export interface RegistryDeps
  extends Omit<ReceiveArchiveDeps, "addresses" | "nodesChanged">,
    Omit<MemberDeps, "nodesChanged">,
    Pick<MirrorDeps, "log" | "blobs" | "contentUrl" | "installable" | "deletedDays"> {
  readonly blobs: ReceiveArchiveDeps["blobs"];
  readonly clock: ReceiveArchiveDeps["clock"];
  readonly log: ReceiveArchiveDeps["log"];
  readonly bus: Bus;
  readonly keyRing: KeyRing;
  // For the upstream registry and the code host.
  readonly client: Pick<GuardedClient, "request">;
  // Null: this registry mirrors no other.
  readonly upstream: MirrorSettings | null;
  readonly codeHostApiUrl: string;
  readonly codeHostName: string;
}

// The use cases are functions that take this value: each names in its type what it needs of it.
export interface Registry
  extends MemberDeps,
    ClaimDeps,
    Omit<ReceiveArchiveDeps, "addresses">,
    Omit<DescriptorDeps, "policies">,
    OwnReaderDeps {
  readonly blobs: ReceiveArchiveDeps["blobs"];
  readonly clock: ReceiveArchiveDeps["clock"];
  nodesChanged(folded: readonly string[]): Promise<void>;
  readonly read: RegistryReader;
  readonly changes: NodeChanges;
  readonly policies: NodePolicies;
  // Work over all nodes: begun, and not waited for.
  reindex(): void;
  readStars(nodesMax: number): void;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export function createRegistry(given: RegistryDeps): Registry {
  const { database, bus, client, upstream } = given;
  const changes = createNodeChanges({ database, bus });
  const policies = createNodePolicies({ database, bus });
  const codeHost = createCodeHost({ client, apiUrl: given.codeHostApiUrl, webHost: given.codeHostName });
  const addresses = createArchiveAddresses(given);
  const deps = { ...given, addresses, policies, codeHost, nodesChanged: changes.nodesChanged };
  const own = createOwnReader(deps);
  const mirror = upstream && createMirror(deps, upstream, own);
  const upkeep = createUpkeep(deps.log);
  return {
    ...deps,
    read: mirror?.read ?? own,
    changes,
    reindex: () => upkeep.begin("reindex", (signal) => reindexNodes(database, signal)),
    readStars: (nodesMax) => upkeep.begin("stars", (signal) => readStars(deps, nodesMax, signal)),
    async run(background, signal) {
      const round = (stopping: AbortSignal) => tidy(deps, stopping);
      await Promise.all([
        changes.run(background, signal),
        policies.run(background, signal),
        checkInBackground(deps, background, signal),
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
