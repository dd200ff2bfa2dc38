// Query parameters of lists. One answer names every bad parameter; unknown ones are ignored.
import { limits } from "@atelier/contract";
import type { Cursors } from "../cursor.ts";
import { Fault } from "../fault.ts";
import { type Id, parseId } from "../ids.ts";
import { singleParameter } from "./query.ts";

export class QueryReader {
  readonly #query: URLSearchParams;
  readonly #problems: { path: string; message: string }[] = [];

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  // Undefined if absent or invalid. requireNoProblem reports invalid ones.
  read<Value>(name: string, parse: (text: string) => Value | null, shape: string): Value | undefined {
    const given = singleParameter(this.#query, name);
    if (given.kind === "absent") return undefined;
    const value = given.kind === "value" ? parse(given.value) : null;
    if (value !== null) return value;
    this.problem(name, given.kind === "repeated" ? "must not be repeated" : `must be ${shape}`);
    return undefined;
  }

  // Keeps only the first problem of each parameter.
  problem(path: string, message: string): void {
    if (this.#problems.every((known) => known.path !== path)) this.#problems.push({ path, message });
  }

  // Clamped to the maximum; 0 or less means the default (decisions, section 3).
  readLimit(): number {
    const wanted = this.read("limit", (text) => (/^-?\d+$/.test(text) ? Number(text) : null), "a whole number") ?? 0;
    return wanted <= 0 ? limits.listPageSizeDefault : Math.min(wanted, limits.listPageSizeMax);
  }

  readCursor(): string | undefined {
    return this.read("cursor", (text) => text, "a cursor from an earlier page");
  }

  requireNoProblem(): void {
    if (this.#problems.length === 0) return;
    const named = this.#problems.map(({ path, message }) => `${path} ${message}`).join("; ");
    throw new Fault("invalid_request", `The request is not valid: ${named}.`, { details: this.#problems });
  }
}

// Spec, Router rule 2, applied to every list: a cursor that we did not issue never restarts at page one.
export function refuseCursor(): Fault {
  return new Fault("invalid_request", "This cursor is invalid or has expired. Start again without a cursor.", {
    details: [{ path: "cursor", message: "is invalid or has expired" }],
  });
}

// One page, in the shape that all our lists use.
export function pageBody<Item>(data: readonly Item[], nextCursor: string | null, limit: number) {
  return { data, has_more: nextCursor !== null, ...(nextCursor === null ? {} : { next_cursor: nextCursor }), limit };
}

// One page of a list that is sorted by id. We ask for one item more than we show: it tells whether there is a next page.
// `purpose` names the list and everything that filters it.
export async function pageById<Kind extends string, Item extends { readonly id: string }, Shown>(
  { reader, cursors, purpose }: { readonly reader: QueryReader; readonly cursors: Cursors; readonly purpose: string },
  list: (position: Id<Kind> | null, count: number) => Promise<readonly Item[]>,
  present: (item: Item) => Shown | Promise<Shown>,
) {
  const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
  reader.requireNoProblem();
  const position = cursor === undefined ? null : parseId<Kind>(cursors.read(purpose, cursor)?.[0] ?? "");
  if (cursor !== undefined && position === null) throw refuseCursor();
  const found = await list(position, limit + 1);
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const next = last ? cursors.issue(purpose, [last.id]) : null;
  return pageBody(await Promise.all(shown.map((item) => present(item))), next, limit);
}

// Clamped to the maximum; 0 or less means the default.
export function readPageSize(text: string | null): number {
  if (text === null) return limits.listPageSizeDefault;
  if (!/^-?\d+$/.test(text)) throw new Fault("invalid_request", "limit must be a whole number.");
  const wanted = Number(text);
  return wanted <= 0 ? limits.listPageSizeDefault : Math.min(wanted, limits.listPageSizeMax);
}
