// The search parameters of the list.
import { type RangeSearch, readRange } from "../../ui/range/range.ts";

export interface RequestsSearch extends RangeSearch {
  readonly family?: "model" | "partner" | "node" | "job" | undefined;
  readonly subject?: string | undefined;
  // `failed` for anything that went wrong, `replayed`, or a single outcome.
  readonly outcome?: string | undefined;
  readonly key?: string | undefined;
  // The request shown next to the list.
  readonly peek?: string | undefined;
  readonly tail?: true | undefined;
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, 300) : undefined);
const families = ["model", "partner", "node", "job"] as const;

export function readRequestsSearch(search: Readonly<Record<string, unknown>>): RequestsSearch {
  return {
    ...readRange(search),
    family: families.find((known) => known === search["family"]),
    subject: text(search["subject"]),
    outcome: text(search["outcome"]),
    key: text(search["key"]),
    peek: text(search["peek"]),
    tail: search["tail"] === true ? true : undefined,
  };
}
