// The search parameters of the page.
import { type RangeSearch, readRange } from "../../ui/range/range.ts";
import { type GivenSearch, type SearchOf, searchReader, text, word } from "../../ui/search-params.ts";

export const metrics = ["calls", "credits", "failures", "replays", "p50_ms", "p95_ms"] as const;
export const groupings = ["none", "subject", "api_key_id", "outcome", "family", "end_user"] as const;

const readers = {
  metric: word(...metrics),
  by: word(...groupings),
  subject: text(),
  outcome: text(),
  api_key_id: text(),
};
const read = searchReader(readers);

export type UsageSearch = RangeSearch & SearchOf<typeof readers>;
export const readUsageSearch = (given: GivenSearch): UsageSearch => ({ ...readRange(given), ...read(given) });
