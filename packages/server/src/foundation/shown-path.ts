// The path of a bad field, as answers and log lines may show it. Names declared in the schema are shown in full. Any other name
// is the caller's own text, and a secret pasted where a name belongs must not show up in an error or the log, so of a long name
// only the beginning is shown.
const foreignNameCharactersMax = 24;
const shownCharacters = 8;

const declared = new WeakMap<object, ReadonlySet<string>>();

// `pointer` is a JSON pointer into a value that `schema` describes.
export function shownPath(pointer: string, schema: object): string {
  return pointer
    .split("/")
    .map((segment) =>
      segment.length <= foreignNameCharactersMax || namesDeclaredBy(schema).has(segment)
        ? segment
        : `${segment.slice(0, shownCharacters)}…`,
    )
    .join("/");
}

function namesDeclaredBy(schema: object): ReadonlySet<string> {
  const known = declared.get(schema);
  if (known) return known;
  const names = new Set<string>();
  collect(schema, names);
  declared.set(schema, names);
  return names;
}

function collect(schema: unknown, names: Set<string>): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "properties" && typeof value === "object" && value !== null)
      for (const name of Object.keys(value)) names.add(name);
    collect(value, names);
  }
}
