// Describes a model: as an entry of the catalog, and for people who choose one, from its definition and its marks.

import type { CatalogEntry, ModelDetail } from "@atelier/contract";
import { noMarks, type ServedModel } from "../../providers/index.ts";
import type { CatalogModel } from "./catalog.ts";

export type DescribedModel = Pick<
  ModelDetail,
  "title" | "description" | "kind" | "deprecated_at" | "sunset_at" | "verified"
>;

export function describeModel({ definition, marks = noMarks }: ServedModel): DescribedModel {
  const { title, description, kind } = definition;
  const { deprecatedAt, sunsetAt, verifiedAt } = marks;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(kind === undefined ? {} : { kind }),
    ...(deprecatedAt === null ? {} : { deprecated_at: deprecatedAt.toISOString() }),
    ...(sunsetAt === null ? {} : { sunset_at: sunsetAt.toISOString() }),
    verified: verifiedAt?.toISOString() ?? null,
  };
}

export function presentEntry({ id, definition }: CatalogModel): CatalogEntry {
  return entryOf(id, definition.charges_on_policy_rejection);
}

export function entryOf(id: string, charges: CatalogEntry["billing"]["charges_on_policy_rejection"]): CatalogEntry {
  const [provider = "", name = ""] = id.split("/");
  return { id, provider, model: name, billing: { charges_on_policy_rejection: charges } };
}
