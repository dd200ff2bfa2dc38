// The search parameters of the list.
import { type RangeSearch, readRange } from "../../ui/range/range.ts";
import { flag, type GivenSearch, type SearchOf, searchReader, text, word } from "../../ui/search-params.ts";

const readers = {
  family: word("model", "partner", "node", "job"),
  subject: text(),
  // `failed` for anything that went wrong, `replayed`, or a single outcome.
  outcome: text(),
  key: text(),
  // The errors that callers got, instead of the calls.
  view: word("errors"),
  status: text(),
  // The request shown next to the list.
  peek: text(),
  tail: flag,
};
const read = searchReader(readers);

export type RequestsSearch = RangeSearch & SearchOf<typeof readers>;
export const readRequestsSearch = (given: GivenSearch): RequestsSearch => ({ ...readRange(given), ...read(given) });
