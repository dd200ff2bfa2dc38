// Which definition of a provider counts when several say something. Decided: the admin API stands before a file, a file
// before what the process brings itself (the sandbox). Removing the stored one lets the file's show again. Whole
// definitions replace each other; nothing is merged. Pure.
import type { ProviderDefinition } from "./definition.ts";

export type ProviderSource = "admin" | "file" | "built_in";

export interface SourcedDefinition {
  readonly source: ProviderSource;
  readonly version: number | null;
  // Null: stored by another version of the server, which this one cannot read. It hides the others all the same: to
  // serve an older definition in its place would be worse than to serve none.
  readonly definition: ProviderDefinition | null;
  readonly provider: string;
  readonly updatedAt: Date | null;
}

export interface EffectiveProvider extends SourcedDefinition {
  // The sources of the same provider that do not count.
  readonly hidden: readonly ProviderSource[];
}

const rank: Readonly<Record<ProviderSource, number>> = { admin: 0, file: 1, built_in: 2 };

// In bytewise order of the providers' names.
export function effectiveProviders(given: readonly SourcedDefinition[]): EffectiveProvider[] {
  const byProvider = Map.groupBy(given, ({ provider }) => provider);
  return [...byProvider.values()]
    .map((all) => all.toSorted((one, other) => rank[one.source] - rank[other.source]))
    .flatMap(([first, ...others]) => (first ? [{ ...first, hidden: others.map(({ source }) => source) }] : []))
    .sort((one, other) => (one.provider < other.provider ? -1 : 1));
}

// The operator's word, else the definition's own.
export function isReleased(releases: ReadonlyMap<string, boolean>, id: string, own: boolean): boolean {
  return releases.get(id) ?? own;
}
