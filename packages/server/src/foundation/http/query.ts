// Reads a query parameter that may occur once. Absent, empty and repeated are told apart, because a route answers each
// in its own words. Broken percent-encoding is kept as text, as URLSearchParams does; it never throws.
export type SingleParameter =
  | { readonly kind: "absent" | "empty" | "repeated" }
  | { readonly kind: "value"; readonly value: string };

// Text: without the question mark.
export function singleParameter(query: URLSearchParams | string, name: string): SingleParameter {
  const parameters = typeof query === "string" ? new URLSearchParams(query) : query;
  const values = parameters.getAll(name);
  const [value] = values;
  if (value === undefined) return { kind: "absent" };
  if (values.length > 1) return { kind: "repeated" };
  return value === "" ? { kind: "empty" } : { kind: "value", value };
}
