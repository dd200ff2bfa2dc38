// The search parameters of the page.
import { type RangeSearch, readRange } from "../../ui/range/range.ts";

export const metrics = ["calls", "credits", "failures", "replays", "p50_ms", "p95_ms"] as const;
export const groupings = ["none", "subject", "api_key_id", "outcome", "family"] as const;

export interface UsageSearch extends RangeSearch {
  readonly metric?: (typeof metrics)[number] | undefined;
  readonly by?: (typeof groupings)[number] | undefined;
  readonly subject?: string | undefined;
  readonly outcome?: string | undefined;
  readonly api_key_id?: string | undefined;
}

export function readUsageSearch(given: Readonly<Record<string, unknown>>): UsageSearch {
  const text = (name: string) => (typeof given[name] === "string" && given[name] !== "" ? given[name] : undefined);
  const metric = metrics.find((known) => known === given["metric"]);
  const by = groupings.find((known) => known === given["by"]);
  const filters = { subject: text("subject"), outcome: text("outcome"), api_key_id: text("api_key_id") };
  return dropEmpty({ ...readRange(given), metric, by, ...filters });
}

function dropEmpty<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;
}
