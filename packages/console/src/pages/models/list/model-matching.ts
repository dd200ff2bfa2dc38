// Which models a search shows. Every word must occur in the id, the title, the description or the provider.
import type { AccountModel } from "@atelier/sdk";
import type { readModelsSearch } from "../model-search.ts";

export type Filters = ReturnType<typeof readModelsSearch>;
type Described = Pick<AccountModel, "id" | "provider" | "title" | "description" | "kind">;

export function matches(model: Described, { q, provider, kind }: Filters): boolean {
  if (provider !== undefined && model.provider !== provider) return false;
  if (kind !== undefined && (model.kind ?? "other") !== kind) return false;
  if (q === undefined) return true;
  const said = `${model.id} ${model.title ?? ""} ${model.description ?? ""}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

// Whether the filters leave no work: works have no kind of their own and belong to no provider.
export const isOfModels = ({ kind, provider }: Filters): boolean =>
  provider !== undefined || (kind !== undefined && kind !== "work");

export function countsOf<Name extends string>(names: readonly Name[]): ReadonlyMap<Name, number> {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
