// Decides which definition of a provider counts if there are several: the admin API beats a file, and a file beats what
// the process brings itself (the sandbox). Removing the stored one makes the file's visible again. Definitions replace
// each other whole; nothing is merged. Pure.
import type { ProviderDefinition } from "./definition.ts";

export type ProviderSource = "admin" | "file" | "built_in";

export interface SourcedDefinition {
  readonly source: ProviderSource;
  readonly version: number | null;
  // Null if another version of the server stored it and this one cannot read it. It still hides the others: serving an
  // older definition in its place would be worse than serving none.
  readonly definition: ProviderDefinition | null;
  readonly provider: string;
  readonly updatedAt: Date | null;
}

export interface EffectiveProvider extends SourcedDefinition {
  // Sources of the same provider that are overridden.
  readonly hidden: readonly ProviderSource[];
}

const rank: Readonly<Record<ProviderSource, number>> = { admin: 0, file: 1, built_in: 2 };

// Sorted by provider name, bytewise.
export function effectiveProviders(given: readonly SourcedDefinition[]): EffectiveProvider[] {
  const byProvider = Map.groupBy(given, ({ provider }) => provider);
  return [...byProvider.values()]
    .map((all) => all.toSorted((one, other) => rank[one.source] - rank[other.source]))
    .flatMap(([first, ...others]) => (first ? [{ ...first, hidden: others.map(({ source }) => source) }] : []))
    .sort((one, other) => (one.provider < other.provider ? -1 : 1));
}

// The operator's decision, else the definition's own.
export function isReleased(releases: ReadonlyMap<string, boolean>, id: string, own: boolean): boolean {
  return releases.get(id) ?? own;
}
