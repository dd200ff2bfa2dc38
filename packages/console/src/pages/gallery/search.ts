// The address holds everything the gallery shows.
export const kinds = ["image", "video", "audio", "text", "file", "latent"] as const;
export type Kind = (typeof kinds)[number];
export const spans = ["1d", "7d", "30d"] as const;
export type Span = (typeof spans)[number];
export const modes = ["slider", "side", "flip", "difference"] as const;
export type CompareMode = (typeof modes)[number];

export interface GallerySearch {
  readonly view?: "table";
  readonly kind?: Kind;
  readonly source?: "upload" | "output";
  // Part of a name, or a full hash.
  readonly q?: string;
  // A label of the job: its text, or key=value.
  readonly label?: string;
  readonly job?: string;
  readonly since?: Span;
  // Days, as 2026-01-31.
  readonly from?: string;
  readonly to?: string;
  readonly starred?: true;
  // What is open: one item in the viewer, or up to four side by side.
  readonly asset?: string;
  readonly compare?: string;
  readonly mode?: CompareMode;
}

export function readGallerySearch(search: Record<string, unknown>): GallerySearch {
  const text = (name: string) => (search[name] === undefined || search[name] === null ? "" : String(search[name]));
  const words = (name: string, max = 200) => (text(name) === "" ? {} : { [name]: text(name).slice(0, max) });
  const oneOf = (name: string, allowed: readonly string[]) =>
    allowed.includes(text(name)) ? { [name]: text(name) } : {};
  const day = (name: string) => (/^\d{4}-\d\d-\d\d$/.test(text(name)) ? { [name]: text(name) } : {});
  return {
    ...oneOf("view", ["table"]),
    ...oneOf("kind", kinds),
    ...oneOf("source", ["upload", "output"]),
    ...words("q"),
    ...words("label"),
    ...words("job", 64),
    ...oneOf("since", spans),
    ...day("from"),
    ...day("to"),
    ...(search["starred"] === true || search["starred"] === "true" ? { starred: true } : {}),
    ...words("asset", 64),
    ...words("compare"),
    ...oneOf("mode", modes),
  } as GallerySearch;
}

export const comparedIn = (search: GallerySearch): readonly string[] =>
  (search.compare ?? "").split(",").filter(Boolean).slice(0, 4);

// The filters, without what is open on top.
export function filterIn(search: GallerySearch): GallerySearch {
  const { asset, compare, mode, view, ...filter } = search;
  return filter;
}

export const isNarrowed = (search: GallerySearch): boolean => Object.keys(filterIn(search)).length > 0;
