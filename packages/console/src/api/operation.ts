// How the console names an operation of the contract. At run time it is "METHOD /path/{param}", followed by its least role where method
// and path do not say it; the rest is types, generated
// into generated/operations.ts. Parameters are encoded here and nowhere else.
import { api as words } from "#strings/api";

declare const shape: unique symbol;
export type Operation<Shape> = string & { readonly [shape]: Shape };

// A member of a map is given as name[key].
type Asked<Values> = { readonly [member: `${string}[${string}]`]: string } & {
  readonly [Name in keyof Values]: Values[Name] | (object extends Pick<Values, Name> ? null | undefined : never);
};

// What the caller gives: `params`, `query`, and `json` or `body`, as far as the operation takes them.
export type Given<Shape> = {
  readonly [Part in keyof Shape as Exclude<Part, "answer">]: Part extends "query"
    ? Asked<NonNullable<Shape[Part]>>
    : Shape[Part];
};

export type QueryOf<Named> =
  Named extends Operation<infer Shape>
    ? Shape extends { readonly query?: infer Values }
      ? Asked<NonNullable<Values>>
      : never
    : never;

export type Answer<Shape> = Shape extends { readonly answer: infer Body } ? Body : undefined;

type Value = string | number | boolean | null | undefined;
export type Query = Readonly<Record<string, Value | readonly Value[]>>;
export interface Target {
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Query | undefined;
}

// The least role that may call it. Reading takes a viewer, or an auditor among the operators' operations; anything else a member, or an
// operator.
export function leastRoleOf(operation: string): string {
  const [method = "", path = "", role] = operation.split(" ");
  if (role !== undefined) return role;
  const reads = method === "GET" || method === "HEAD";
  if (path.startsWith("/admin/")) return reads ? "auditor" : "operator";
  return reads ? "viewer" : "member";
}

export const methodOf = (operation: string): string => operation.slice(0, operation.indexOf(" "));

// For what is not a call: a link, a probe, a request with other rules about failure.
export function addressOf<Shape>(
  operation: Operation<Shape>,
  ...[given]: object extends Located<Shape> ? [given?: Located<Shape>] : [given: Located<Shape>]
): string {
  return locate(operation, given);
}

export function locate(operation: string, { params = {}, query }: Target = {}): string {
  const path = (operation.split(" ")[1] ?? "").replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    segmentOf(params[name] ?? ""),
  );
  return withQuery(path, query);
}

// An empty or dotted segment would name another path: browsers resolve dots even when they are encoded.
function segmentOf(value: string | number): string {
  if (/^\.{0,2}$/.test(String(value))) throw new RangeError(words.notInAddress(String(value)));
  return encodeURIComponent(value);
}

type Located<Shape> = Pick<Given<Shape>, keyof Given<Shape> & ("params" | "query")>;

// Without what is empty; a list is given once for each of its values.
export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((each) => (each === undefined || each === null || each === "" ? [] : [[name, String(each)]])),
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
