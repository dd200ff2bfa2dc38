// A query that reads one operation: its key, what is asked, and a call that the page can abort. Other options, such as how long
// the answer stays fresh, are added by spreading it.
import { type QueryKey, queryOptions, type UnusedSkipTokenOptions } from "@tanstack/react-query";
import { type Asked, call, type Manner } from "./client.ts";
import type { Answer, Operation } from "./operation.ts";

type ReadQuery<Data> = UnusedSkipTokenOptions<Data> & Pick<ReturnType<typeof queryOptions<Data>>, "queryKey">;

export function readQuery<Shape>(
  queryKey: QueryKey,
  operation: Operation<Shape>,
  ...asked: Asked<Shape>
): ReadQuery<Answer<Shape>>;
export function readQuery(queryKey: QueryKey, operation: Operation<unknown>, ask: Manner = {}): unknown {
  return queryOptions({ queryKey, queryFn: ({ signal }) => call(operation, { ...ask, signal }) });
}

// For an answer that is a whole list: without the envelope around it.
export function readList<Shape>(
  queryKey: QueryKey,
  operation: Operation<Shape>,
  ...asked: Asked<Shape>
): ReadQuery<Answer<Shape> extends { readonly data: infer Rows } ? Rows : never>;
export function readList(
  queryKey: QueryKey,
  operation: Operation<{ readonly answer: { readonly data: unknown } }>,
  ask: Manner = {},
): unknown {
  return queryOptions({ queryKey, queryFn: async ({ signal }) => (await call(operation, { ...ask, signal })).data });
}
