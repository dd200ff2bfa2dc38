// Descriptions of node classes, each fetched once; null for a class this server does not know.
import type { DescribedClass, NodeClassPage } from "@atelier/sdk";
import { queryOptions, useQueries } from "@tanstack/react-query";
import { call } from "./client.ts";
import { asFault } from "./fault.ts";
import type { QueryOf } from "./operation.ts";
import { operations } from "./operations.ts";

export type KnownClasses = ReadonlyMap<string, DescribedClass>;

export interface FoundClasses {
  readonly classes: KnownClasses;
  readonly isReady: boolean;
  // Why some could not be read.
  readonly fault: unknown;
  retry(): void;
}

export function useClasses(names: readonly string[]): FoundClasses {
  const wanted = [...new Set(names)].slice(0, 300);
  return useQueries({
    queries: wanted.map((name) => ({
      queryKey: ["class", name],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => describe(name, signal),
      staleTime: 300_000,
    })),
    combine: (found) => ({
      classes: new Map(found.flatMap(({ data }) => (data ? [[data.name, data] as const] : []))),
      isReady: found.every(({ isPending }) => !isPending),
      fault: found.find(({ error }) => error)?.error ?? null,
      retry: () => {
        for (const { error, refetch } of found) if (error) void refetch();
      },
    }),
  });
}

// These operations also know the application's own shape, which is never asked for here. Bounds beyond 2^53 are bigint, which
// contract's types do not say.
export async function describe(name: string, signal?: AbortSignal): Promise<DescribedClass | null> {
  try {
    return (await call(operations.getNodeClass, { params: { name }, signal })) as DescribedClass;
  } catch (thrown) {
    if (asFault(thrown).status === 404) return null;
    throw thrown;
  }
}

export type ClassPage = Omit<NodeClassPage, "data"> & { readonly data: readonly DescribedClass[] };

export async function findClasses(
  query: QueryOf<typeof operations.listNodeClasses>,
  signal?: AbortSignal,
): Promise<ClassPage> {
  return (await call(operations.listNodeClasses, { query, signal })) as ClassPage;
}

// The names of all classes, fetched once: there are few.
export const classNamesQuery = queryOptions({
  queryKey: ["classes", "names"],
  staleTime: 300_000,
  retry: 0,
  queryFn: async ({ signal }) => {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await findClasses({ limit: 100, cursor }, signal);
      names.push(...page.data.map(({ name }) => name));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined && names.length < 5_000);
    return names;
  },
});
