// The registry's versions as one value: its routes, what the content origin needs of it, and what it does on the side.

import type { Assets } from "../../../capabilities/assets/index.ts";
import type { Blobs } from "../../../capabilities/blobs/index.ts";
import type { KeyRing } from "../../../capabilities/secrets/index.ts";
import { type Background, everyStep } from "../../../foundation/background.ts";
import type { Route } from "../../../foundation/http/area.ts";
import { trustedId } from "../../../foundation/ids.ts";
import { type DescriptorRouteDeps, descriptorRoutes } from "../descriptors/descriptors.route.ts";
import type { RegistryRoutes } from "../registry-areas.ts";
import { type ArchiveRouteDeps, getNodeArchiveRoute } from "./archive.route.ts";
import { createArchiveAddresses, type SignedPlace } from "./archive-addresses.ts";
import { type CheckDeps, checkInBackground } from "./check-version.ts";
import { endDeleted } from "./end-deleted.ts";
import { forgetInstalls } from "./install-store.ts";
import { publishRoutes } from "./publish.route.ts";
import type { PublishDeps } from "./publish-version.ts";
import { readVersionRoutes } from "./read-versions.route.ts";
import type { BulkVersionDeps } from "./read-versions.ts";
import { type ReceiveArchiveDeps, type ReceivedArchive, receiveArchive } from "./receive-archive.ts";
import { reviewRoutes } from "./review-versions.route.ts";

export interface RegistryVersionsDeps
  extends Omit<ReceiveArchiveDeps, "addresses" | "blobs">,
    PublishDeps,
    DescriptorRouteDeps {
  readonly limits: ReceiveArchiveDeps["limits"] & DescriptorRouteDeps["limits"];
  readonly audit: PublishDeps["audit"];
  readonly clock: CheckDeps["clock"];
  readonly blobs: Pick<Blobs, "keep" | "hold" | "open" | "release">;
  readonly keyRing: KeyRing;
  readonly contentUrl: () => string;
  readonly installable: readonly string[];
  // How long the archives of a deleted node stay.
  readonly deletedDays: number;
  readonly mirroredArchive: ArchiveRouteDeps["mirroredArchive"];
  readonly mirroredVersion: BulkVersionDeps["mirroredVersion"];
}

export interface RegistryVersions {
  readonly routes: RegistryRoutes;
  // Where the archive of an active version is; private nodes are found by a signed address.
  archiveUrl(version: { readonly id: string; readonly isPrivate: boolean }): string;
  // For the content origin. Null: the address is not one of an archive.
  receive(
    upload: SignedPlace & { readonly source: AsyncIterable<Uint8Array>; readonly signal: AbortSignal },
  ): Promise<ReceivedArchive | null>;
  contentRoute(assets: Pick<Assets, "content">): Route<unknown>;
  // Checks that were left behind, days that are over, archives of nodes that are gone.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const dayMs = 86_400_000;
const tidyEveryMs = 3_600_000;

export function createRegistryVersions(given: RegistryVersionsDeps): RegistryVersions {
  const deps = { ...given, addresses: createArchiveAddresses(given) };
  const publishing = publishRoutes(deps);
  const descriptors = descriptorRoutes(deps);
  return {
    routes: {
      open: [...publishing.open, ...readVersionRoutes(deps), ...descriptors.open],
      members: [...publishing.members, ...descriptors.members],
      operators: [...reviewRoutes(deps), ...descriptors.operators],
    },
    archiveUrl({ id, isPrivate }) {
      const versionId = trustedId<"node-version">(id);
      return isPrivate ? deps.addresses.signed(versionId) : deps.addresses.plain(versionId);
    },
    receive: (upload) => receiveArchive(deps, upload),
    contentRoute: (assets) => getNodeArchiveRoute(deps, assets),
    async run(background, signal) {
      const round = (stopping: AbortSignal) => tidy(deps, stopping);
      await Promise.all([
        checkInBackground(deps, background, signal),
        background.run({ name: "registry: end deleted versions", everyMs: tidyEveryMs, round }, signal),
      ]);
    },
  };
}

function tidy(deps: RegistryVersionsDeps, signal: AbortSignal): Promise<void> {
  const yesterday = new Date(deps.clock.now().getTime() - dayMs).toISOString().slice(0, 10);
  return everyStep({
    "installs of past days": () => forgetInstalls(deps.database, yesterday),
    "deleted nodes": () => endDeleted(deps, signal),
  });
}
