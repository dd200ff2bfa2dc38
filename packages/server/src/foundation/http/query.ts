// Reads a query parameter that may occur once. It distinguishes absent, empty and repeated, because routes answer each
// differently. Broken percent-encoding is kept as text, as URLSearchParams does; it never throws.
export type SingleParameter =
  | { readonly kind: "absent" | "empty" | "repeated" }
  | { readonly kind: "value"; readonly value: string };

// `query` as text comes without the question mark.
export function singleParameter(query: URLSearchParams | string, name: string): SingleParameter {
  const parameters = typeof query === "string" ? new URLSearchParams(query) : query;
  const values = parameters.getAll(name);
  const [value] = values;
  if (value === undefined) return { kind: "absent" };
  if (values.length > 1) return { kind: "repeated" };
  return value === "" ? { kind: "empty" } : { kind: "value", value };
}
