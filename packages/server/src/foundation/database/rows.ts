// Maps rows to objects. A column has the member's name in snake case, so a store declares the type its rows hold and spells out
// only the columns that arrive differently (a bigint as text, part of a nested value).
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

export type RowOf<T> = { readonly [Name in keyof T & string as SnakeCase<Name>]: T[Name] };

const namesByColumn = new Map<string, string>();

// Every column becomes a member. Take out extra columns first.
export function fromRow<T extends object>(row: RowOf<T>): T {
  const read: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) read[nameOf(column)] = value;
  return read as T;
}

// Bounded by the number of columns in our own statements.
function nameOf(column: string): string {
  const known = namesByColumn.get(column);
  if (known !== undefined) return known;
  const name = column.replace(/_(\w)/g, (_mark, letter: string) => letter.toUpperCase());
  namesByColumn.set(column, name);
  return name;
}
