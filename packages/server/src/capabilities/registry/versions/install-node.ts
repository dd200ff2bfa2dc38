// Finds the version to install. Without a number it is the latest, as everywhere. With a number it is that version if it
// can be installed: active always, pending and flagged only if the operator allows it, banned never (decisions, section
// 5). A download is counted once per client address, node and day; the address is kept as a keyed hash until the day is
// over.
import { createHmac } from "node:crypto";
import type { NodeVersion, NodeVersionStatus } from "@atelier/contract";
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { KeyRing } from "../../secrets/index.ts";
import { nodeBanned, requireReadableNode } from "../nodes/node-authority.ts";
import type { StoredNode } from "../nodes/stored-node.ts";
import type { Reader } from "../readers/reader.ts";
import type { ArchiveAddresses } from "./archive-addresses.ts";
import { countInstall } from "./install-store.ts";
import { presentVersion, type StoredVersion } from "./stored-version.ts";
import { findLatestVersion, findVersion } from "./version-store.ts";

export interface InstallDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly keyRing: Pick<KeyRing, "current">;
  readonly addresses: Pick<ArchiveAddresses, "download" | "signed">;
  // Other statuses that an explicit number may have.
  readonly installable: readonly string[];
}

export interface AskedInstall {
  readonly nodeId: string;
  readonly reader: Reader;
  // A normalized number. Null for the latest.
  readonly version: string | null;
  // Null if this is only a look and should not count.
  readonly client: string | null;
}

export async function installNode(deps: InstallDeps, asked: AskedInstall): Promise<NodeVersion> {
  const { reader, client } = asked;
  const node = await requireReadableNode(deps.database, asked.nodeId, reader);
  if (node.status === "NodeStatusBanned") throw nodeBanned();
  const version =
    asked.version === null ? await latestOf(deps, node, reader) : await numbered(deps, node, asked.version, reader);
  const downloadUrl = deps.addresses.download(version) ?? deps.addresses.signed(version.id);
  if (client !== null) {
    const day = deps.clock.now().toISOString().slice(0, 10);
    const { secret } = deps.keyRing.current("node-archive");
    const hash = createHmac("sha256", secret).update(`${day}\n${client}`).digest().subarray(0, 16);
    await countInstall(deps.database, { nodeRowId: node.id, day, client: hash });
  }
  return presentVersion(version, { downloadUrl, withReason: false });
}

async function latestOf(deps: InstallDeps, node: StoredNode, reader: Reader): Promise<StoredVersion> {
  const latest = await findLatestVersion(deps.database, node.id, reader);
  if (latest === null) throw noInstallableVersion();
  return latest;
}

async function numbered(deps: InstallDeps, node: StoredNode, wanted: string, reader: Reader): Promise<StoredVersion> {
  const version = await findVersion(deps.database, { nodeRowId: node.id, version: wanted }, reader);
  if (!version?.archive || version.status === "NodeVersionStatusDeleted") throw noSuchVersion();
  requireInstallable(version, deps.installable);
  return version;
}

export function requireInstallable(
  { version, status }: { readonly version: string; readonly status: NodeVersionStatus },
  installable: readonly string[],
): void {
  if (mayInstall(status, installable)) return;
  throw new Fault("forbidden", `Version ${version} cannot be installed: ${why[status]}.`);
}

export function mayInstall(status: NodeVersionStatus, installable: readonly string[]): boolean {
  if (status === "NodeVersionStatusPending") return installable.includes("pending");
  if (status === "NodeVersionStatusFlagged") return installable.includes("flagged");
  return status === "NodeVersionStatusActive";
}

const why: Readonly<Record<NodeVersionStatus, string>> = {
  NodeVersionStatusActive: "it is active",
  NodeVersionStatusPending: "its checks are not finished",
  NodeVersionStatusFlagged: "the checks found problems, and nobody has approved it",
  NodeVersionStatusBanned: "it is banned",
  NodeVersionStatusDeleted: "it is deleted",
};

export function noInstallableVersion(): Fault {
  return new Fault("not_found", "No version of this node can be installed yet.");
}

export function noSuchVersion(): Fault {
  return new Fault("not_found", "There is no such version.");
}
