// Rows and what they stand for. A column has the member's name in snake case, so a store says which type its rows hold
// and writes down only the columns that arrive as something else (a bigint as text, a part of a nested value).
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

export type RowOf<T> = { readonly [Name in keyof T & string as SnakeCase<Name>]: T[Name] };

const namesByColumn = new Map<string, string>();

// Every column of the row becomes a member: what is selected beside them is taken out first.
export function fromRow<T extends object>(row: RowOf<T>): T {
  const read: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) read[nameOf(column)] = value;
  return read as T;
}

// The number of columns in our own statements bounds what is remembered.
function nameOf(column: string): string {
  const known = namesByColumn.get(column);
  if (known !== undefined) return known;
  const name = column.replace(/_(\w)/g, (_mark, letter: string) => letter.toUpperCase());
  namesByColumn.set(column, name);
  return name;
}
