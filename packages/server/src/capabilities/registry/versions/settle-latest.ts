// The only place that decides what "latest" is: the highest semantic version among the active ones (decisions, section
// 5). A pre-release is the latest only if there is nothing else; otherwise it must be asked for by number. Called inside
// every transaction that changes a version, while the node's row is locked.
import semver from "semver";
import type { Queryable } from "../../../foundation/database/index.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import { listActiveNumbers, writeLatest } from "./version-write-store.ts";

// Returns the node's folded id, for dropping cached answers.
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

// By precedence first. Numbers that differ only in build metadata are ordered too, so that every process picks the same.
export function compareNumbers(a: string, b: string): number {
  return semver.compareBuild(a, b);
}
