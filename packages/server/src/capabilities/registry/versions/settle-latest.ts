// "Latest" is decided here and nowhere else: the highest semantic version among the active ones (decisions, section 5). A
// pre-release is asked for by its number; it is the latest only where there is nothing else.
// Called inside every transaction that changes a version, while the node's row is held.
import semver from "semver";
import type { Queryable } from "../../../foundation/database/index.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import { listActiveNumbers, writeLatest } from "./version-write-store.ts";

// Returns the folded id of the node, for those who remember it.
export async function settleLatest(tx: Queryable, nodeRowId: NodeRowId): Promise<string> {
  const active = await listActiveNumbers(tx, nodeRowId);
  return writeLatest(tx, nodeRowId, latestOf(active)?.id ?? null);
}

export function latestOf<Numbered extends { readonly version: string }>(
  versions: readonly Numbered[],
): Numbered | null {
  return highest(versions.filter(({ version }) => semver.prerelease(version) === null)) ?? highest(versions);
}

export function highest<Numbered extends { readonly version: string }>(versions: readonly Numbered[]): Numbered | null {
  return versions.reduce<Numbered | null>(
    (best, one) => (best === null || compareNumbers(one.version, best.version) > 0 ? one : best),
    null,
  );
}

// Precedence first; what differs in nothing but its build data is told apart all the same, so that every process
// chooses alike.
export function compareNumbers(a: string, b: string): number {
  return semver.compareBuild(a, b);
}
