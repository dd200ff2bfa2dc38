// The list of jobs, paged by cursor. Each tick refreshes the visible page with one request, wherever in the list it is; the rest
// stays as it was read.
import type { Job, JobPage, JobState } from "@atelier/sdk";
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { metadataIn, uuidPattern } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";
import { type StatusTab, statesOf } from "./tabs.ts";

export interface JobsFilter {
  readonly status: StatusTab;
  readonly q: string;
}

type Pages = InfiniteData<JobPage, string | null>;

const pageSize = 50;

async function readPage(filter: JobsFilter, cursor: string | null, signal?: AbortSignal): Promise<JobPage> {
  return readJobs({ q: filter.q, states: statesOf[filter.status] }, { cursor, limit: pageSize }, signal);
}

interface Wanted {
  readonly q: string;
  // None: all.
  readonly states: readonly JobState[];
}

export async function readJobs(
  { q, states }: Wanted,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
  signal?: AbortSignal,
): Promise<JobPage> {
  const id = q.trim();
  if (uuidPattern.test(id)) return onlyJob(id.toLowerCase(), states, signal);
  const labels = metadataIn(q);
  const metadata =
    typeof labels === "string"
      ? { metadata: labels }
      : Object.fromEntries(Object.entries(labels ?? {}).map(([key, value]) => [`metadata[${key}]` as const, value]));
  return call(operations.listJobs, { query: { limit, status: states, ...metadata, cursor }, signal });
}

async function onlyJob(id: string, states: readonly JobState[], signal?: AbortSignal): Promise<JobPage> {
  const job = await call(operations.getJob, { params: { id }, signal }).catch((thrown: unknown) => {
    if (asFault(thrown).status === 404) return null;
    throw thrown;
  });
  const isShown = job !== null && (states.length === 0 || states.includes(job.status));
  return { data: isShown ? [job] : [], has_more: false, limit: 1 };
}

export interface JobList {
  readonly jobs: readonly Job[];
  readonly isPending: boolean;
  readonly fault: unknown;
  readonly hasMore: boolean;
  readonly isFetchingMore: boolean;
  // When any part of it was last read.
  readonly readAt: number;
  fetchMore(): void;
  retry(): void;
  // Refreshes the page that contains this row; new jobs go before the first.
  refresh(row: number): Promise<void>;
}

export function useJobList(filter: JobsFilter): JobList {
  const client = useQueryClient();
  const { status, q } = filter;
  const key = useMemo(() => ["jobs", "list", status, q] as const, [status, q]);
  const query = useInfiniteQuery<JobPage, Error, Pages, readonly unknown[], string | null>({
    queryKey: key,
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) => readPage({ status, q }, pageParam, signal),
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? null) : null),
    // Never refetch all pages together: that would take one request each.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 600_000,
    refetchOnReconnect: false,
    structuralSharing: false,
  });
  const { data } = query;
  const jobs = useMemo(() => flat(data), [data]);
  const refresh = useCallback((row: number) => refreshPage(client, key, { status, q }, row), [client, key, status, q]);
  return {
    jobs,
    isPending: query.isPending,
    fault: query.error,
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    readAt: query.dataUpdatedAt,
    fetchMore: () => void query.fetchNextPage({ cancelRefetch: false }),
    retry: () => void query.refetch(),
    refresh,
  };
}

// A job that moved to an earlier page may still have an outdated copy on a later one.
function flat(data: Pages | undefined): readonly Job[] {
  const seen = new Set<string>();
  const jobs: Job[] = [];
  for (const page of data?.pages ?? [])
    for (const job of page.data)
      if (!seen.has(job.id)) {
        seen.add(job.id);
        jobs.push(job);
      }
  return jobs;
}

async function refreshPage(
  client: QueryClient,
  key: readonly unknown[],
  filter: JobsFilter,
  row: number,
): Promise<void> {
  const known = client.getQueryData<Pages>(key);
  if (known === undefined || client.isFetching({ queryKey: key }) > 0) return;
  const at = pageWith(known, row);
  const cursor = known.pageParams[at] ?? null;
  const fresh = await readPage(filter, cursor);
  client.setQueryData<Pages>(key, (now) => {
    const old = now?.pages[at];
    if (now === undefined || old === undefined || now.pageParams[at] !== cursor) return now;
    const page = merged(old, fresh);
    if (page === old) return now;
    // More jobs arrived than fit on a page, so we do not know what is in between and start over.
    const isGap = at === 0 && fresh.has_more && !fresh.data.some(({ id }) => old.data.some((one) => one.id === id));
    if (isGap && old.data.length > 0) return { pages: [fresh], pageParams: [null] };
    return { ...now, pages: now.pages.with(at, page) };
  });
}

function pageWith({ pages }: Pages, row: number): number {
  let before = 0;
  for (const [at, { data }] of pages.entries()) {
    before += data.length;
    if (row < before) return at;
  }
  return Math.max(0, pages.length - 1);
}

// What is on the page now, then what newer jobs pushed off its end. Anything else no longer matches the filter.
export function merged(old: JobPage, fresh: JobPage): JobPage {
  const known = new Map(old.data.map((job) => [job.id, job]));
  const data = fresh.data.map((job) => {
    const before = known.get(job.id);
    return before !== undefined && signOf(before) === signOf(job) ? before : job;
  });
  const last = fresh.data.at(-1)?.id;
  const at = fresh.has_more ? old.data.findIndex(({ id }) => id === last) : -1;
  const rest = at === -1 ? [] : old.data.slice(at + 1);
  const all = [...data, ...rest];
  const isSame = all.length === old.data.length && all.every((job, at) => job === old.data[at]);
  if (isSame) return old;
  return rest.length > 0 ? { ...old, data: all } : { ...fresh, data: all };
}

// Everything a row shows of a job.
function signOf({ status, progress, queue_position, outputs, completed_at }: Job): string {
  const { value, nodes_done, step, current_node, message } = progress ?? {};
  return [status, value, nodes_done, step, current_node, message, queue_position, outputs.length, completed_at].join();
}
