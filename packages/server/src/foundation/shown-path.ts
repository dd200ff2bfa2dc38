// Where a bad field stands, as an answer and a log line may say it. Names that the schema declares are shown whole. Any
// other name is the caller's own text, and a caller that pastes a secret where a name belongs must not read it in an error or
// find it in a log: of a long one only the beginning is shown.
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
