// A query that reads one operation: its key, what is asked, and a call that the page can abort. Other options, such as how long
// the answer stays fresh, are added by spreading it.
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryKey,
  queryOptions,
  type UnusedSkipTokenOptions,
  type UseInfiniteQueryOptions,
} from "@tanstack/react-query";
import { type Asked, call, type Manner } from "./client.ts";
import type { Answer, Operation, Query } from "./operation.ts";

type ReadQuery<Data> = UnusedSkipTokenOptions<Data> & Pick<ReturnType<typeof queryOptions<Data>>, "queryKey">;

type Pages<Page> = InfiniteData<Page, string | null>;
type PagesQuery<Page> = UseInfiniteQueryOptions<Page, Error, Pages<Page>, QueryKey, string | null>;

interface PageShape {
  readonly query?: Query;
  readonly answer: { readonly next_cursor?: string | null };
}

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

// For a list that comes in pages: each answer has the cursor of the next.
export function readPages<Shape>(
  queryKey: QueryKey,
  operation: Operation<Shape>,
  ...asked: Asked<Shape>
): PagesQuery<Answer<Shape>>;
export function readPages(
  queryKey: QueryKey,
  operation: Operation<PageShape>,
  { query, ...ask }: Manner & { readonly query?: Query } = {},
): unknown {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: cursor, signal }) => call(operation, { ...ask, query: { ...query, cursor }, signal }),
    getNextPageParam: (page) => page.next_cursor ?? null,
  });
}
