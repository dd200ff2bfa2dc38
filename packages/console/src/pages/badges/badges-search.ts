// The search parameters of the page.
import { type SearchOf, searchReader, text, word } from "../../ui/search-params.ts";

const readers = {
  tab: word("preview", "rows"),
  version: text(256),
  platform: word("local"),
  q: text(256),
  // The node whose badge the previewer shows.
  node: text(256),
};

export type BadgesSearch = SearchOf<typeof readers>;
export const readBadgesSearch = searchReader(readers);
