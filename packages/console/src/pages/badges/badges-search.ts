// The search parameters of the page.
export interface BadgesSearch {
  readonly tab?: "preview" | "rows";
  readonly version?: string;
  readonly platform?: "local";
  readonly q?: string;
  // The node whose badge the previewer shows.
  readonly node?: string;
}

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, 256) : undefined;

export function readBadgesSearch(given: Readonly<Record<string, unknown>>): BadgesSearch {
  const { tab } = given;
  const [version, q, node] = [textIn(given["version"]), textIn(given["q"]), textIn(given["node"])];
  return {
    ...(tab === "preview" || tab === "rows" ? { tab } : {}),
    ...(version === undefined ? {} : { version }),
    ...(given["platform"] === "local" ? { platform: "local" } : {}),
    ...(q === undefined ? {} : { q }),
    ...(node === undefined ? {} : { node }),
  };
}
