// The address holds everything the gallery shows.
import { day, flag, type SearchOf, searchReader, text, word } from "../../ui/search-params.ts";

export const kinds = ["image", "video", "audio", "text", "file", "latent"] as const;
export type Kind = (typeof kinds)[number];
export const spans = ["1d", "7d", "30d"] as const;
export type Span = (typeof spans)[number];
export const modes = ["slider", "side", "flip", "difference"] as const;
export type CompareMode = (typeof modes)[number];

const readers = {
  view: word("table"),
  kind: word(...kinds),
  source: word("upload", "output"),
  // Part of a name, or a full hash.
  q: text(200),
  // A label of the job: its text, or key=value.
  label: text(200),
  job: text(64),
  since: word(...spans),
  // Days, as 2026-01-31.
  from: day,
  to: day,
  starred: flag,
  // A board's tag.
  board: text(128),
  rating: word("1", "2", "3", "4", "5"),
  // Only what expires within a week.
  expiring: flag,
  // What is open: one item in the viewer, or up to four side by side.
  asset: text(64),
  compare: text(200),
  mode: word(...modes),
};

export type GallerySearch = SearchOf<typeof readers>;
export const readGallerySearch = searchReader(readers);

export const comparedIn = (search: GallerySearch): readonly string[] =>
  (search.compare ?? "").split(",").filter(Boolean).slice(0, 4);

// The filters, without what is open on top.
export function filterIn(search: GallerySearch): GallerySearch {
  const { asset, compare, mode, view, ...filter } = search;
  return filter;
}

export const isNarrowed = (search: GallerySearch): boolean => Object.keys(filterIn(search)).length > 0;
