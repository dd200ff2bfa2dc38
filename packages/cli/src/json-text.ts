// JSON for programs, on one line. Integers beyond 2^53 arrive as bigint and are written with all their digits.
const exactly: { rawJSON(text: string): unknown } = JSON as never;

export function jsonText(value: unknown, indent?: number): string {
  const exact = (_key: string, each: unknown) => (typeof each === "bigint" ? exactly.rawJSON(String(each)) : each);
  return JSON.stringify(value, exact, indent);
}
