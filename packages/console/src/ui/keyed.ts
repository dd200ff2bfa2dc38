// Keys for a list whose entries have no id: by content, with a number for equal ones. So an entry keeps its key when others are
// inserted before it.
export function keyed<Entry>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => string,
): readonly (readonly [key: string, entry: Entry])[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const text = textOf(entry);
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    return [count === 0 ? text : `${text} ${count}`, entry];
  });
}
