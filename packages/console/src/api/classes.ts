// Descriptions of node classes, each fetched once; null for a class this server does not know.
import type { DescribedClass } from "@atelier/sdk";
import { useQueries } from "@tanstack/react-query";
import { call } from "./client.ts";
import { asFault } from "./fault.ts";

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

export async function describe(name: string, signal?: AbortSignal): Promise<DescribedClass | null> {
  try {
    return await call<DescribedClass>(`/api/v2/node-classes/${encodeURIComponent(name)}`, { signal });
  } catch (thrown) {
    if (asFault(thrown).status === 404) return null;
    throw thrown;
  }
}
