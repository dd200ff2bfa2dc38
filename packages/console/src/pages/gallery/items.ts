// The gallery's list: assets, filtered and paged by the server. With a job label we list the jobs and show what they made.
// Nothing is read twice: we poll the first page and put new items on top.
import type { Asset } from "@atelier/sdk";
import { type InfiniteData, queryOptions, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { atelier } from "../../api/atelier.ts";
import { call } from "../../api/client.ts";
import { labelQuery } from "../../api/labels.ts";
import type { QueryOf } from "../../api/operation.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { ratingTag, starTag } from "./marks.ts";
import type { GallerySearch, Kind, Span } from "./search.ts";

export interface Item {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly type: string;
  readonly bytes: number;
  readonly hash: string | null;
  readonly created: string;
  // The local day: 2026-1-31.
  readonly day: string;
  readonly expires: string | null;
  readonly jobId: string | null;
  readonly tags: readonly string[];
  // The URL for a player; null if the bytes need the credential.
  readonly url: string | null;
}

interface Page {
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

export const galleryKey = ["gallery summary"] as const;
// Counts, boards and what expires soon.
export const galleryQuery = { ...readQuery(galleryKey, operations.getGallery), staleTime: 10_000, retry: 0 };
const pageSize = 100;

export function itemOf(asset: Asset): Item {
  return {
    id: asset.id,
    name: asset.file_path ?? asset.id,
    kind: asset.kind ?? kindOfType(asset.content_type),
    type: asset.content_type,
    bytes: asset.size_bytes,
    hash: asset.hash,
    created: asset.created_at,
    day: dayOf(asset.created_at),
    expires: asset.expires_at ?? null,
    jobId: asset.job_id ?? null,
    tags: asset.tags ?? [],
    url: asset.url_expires_at === null ? null : asset.url,
  };
}

function dayOf(created: string): string {
  const at = new Date(created);
  return `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()}`;
}

// For servers that do not report the kind.
function kindOfType(type: string): Kind {
  const [family = ""] = type.split("/");
  return family === "image" || family === "video" || family === "audio" || family === "text" ? family : "file";
}

export const assetQuery = (id: string) =>
  queryOptions({
    queryKey: ["asset", id],
    queryFn: ({ signal }) => atelier.assets.get(id, { signal }),
    // A signed URL lasts hours; we get a fresh one long before it expires.
    staleTime: 60_000,
  });

const spanMs: Readonly<Record<Span, number>> = { "1d": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 };

// Times are rounded to whole minutes, so that the same filter stays the same list for a while.
const wholeMinute = (at: number): string => new Date(at - (at % 60_000)).toISOString();

function momentsOf(filter: GallerySearch): { created_from?: string; created_before?: string } {
  if (filter.since) {
    return { created_from: wholeMinute(Date.now() - spanMs[filter.since]) };
  }
  const before = filter.to === undefined ? null : new Date(`${filter.to}T00:00:00`);
  before?.setDate(before.getDate() + 1);
  return {
    ...(filter.from === undefined ? {} : { created_from: new Date(`${filter.from}T00:00:00`).toISOString() }),
    ...(before === null ? {} : { created_before: before.toISOString() }),
  };
}

const hashIn = (q: string): string | null => /^(?:blake3:)?([0-9a-f]{64})$/.exec(q.trim().toLowerCase())?.[1] ?? null;

function tagsAsked({ board, rating, starred }: GallerySearch): readonly string[] {
  return [
    ...(board === undefined ? [] : [board]),
    ...(rating === undefined ? [] : [ratingTag(Number(rating))]),
    ...(starred ? [starTag] : []),
  ];
}

type AssetQuery = QueryOf<typeof operations.listAssets>;

function assetsAsked(filter: GallerySearch): AssetQuery {
  const hash = filter.q === undefined ? null : hashIn(filter.q);
  return {
    kind: filter.kind,
    source: filter.source,
    job: filter.job,
    ...(hash === null ? { q: filter.q } : { hash: `blake3:${hash}` }),
    // The server filters by one tag; the page by the others.
    tag: tagsAsked(filter)[0],
    ...(filter.expiring ? { expires_before: wholeMinute(Date.now() + spanMs["7d"]) } : {}),
    ...momentsOf(filter),
    limit: pageSize,
  };
}

async function assetPage(
  asked: AssetQuery,
  tags: readonly string[],
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page> {
  const page = await call(operations.listAssets, { query: { ...asked, cursor }, signal });
  const items = page.data.map(itemOf).filter((item) => tags.every((tag) => item.tags.includes(tag)));
  return { items, cursor: page.next_cursor ?? null };
}

async function jobPage(
  filter: GallerySearch,
  moments: ReturnType<typeof momentsOf>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page> {
  const query = { ...labelQuery(filter.label ?? ""), limit: 50, cursor };
  const page = await call(operations.listJobs, { query, signal });
  const wanted = filter.q?.toLowerCase();
  // Previews that a node only displayed are not results.
  const items = page.data.flatMap((job) =>
    job.outputs
      .filter(({ is_preview: isPreview }) => isPreview !== true)
      .map(
        (output): Item => ({
          id: output.id,
          name: output.name,
          kind: output.type,
          type: output.content_type,
          bytes: output.size_bytes,
          hash: output.hash,
          created: job.completed_at ?? job.created_at,
          day: dayOf(job.completed_at ?? job.created_at),
          expires: job.expires_at,
          jobId: job.id,
          tags: [],
          url: null,
        }),
      ),
  );
  const { created_from: from, created_before: before } = moments;
  const isWanted = (item: Item) =>
    (filter.kind === undefined || item.kind === filter.kind) &&
    (wanted === undefined || item.name.toLowerCase().includes(wanted) || item.hash?.endsWith(wanted) === true) &&
    (from === undefined || item.created >= from) &&
    (before === undefined || item.created < before);
  return { items: items.filter(isWanted), cursor: page.next_cursor ?? null };
}

export interface GalleryItems {
  readonly items: readonly Item[];
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly hasMore: boolean;
  readonly fault: unknown;
  more(): void;
  again(): void;
}

export function useGalleryItems(filter: GallerySearch): GalleryItems {
  const queries = useQueryClient();
  const key = JSON.stringify(filter);
  const listKey = useMemo(() => ["gallery", key], [key]);
  // The same times for every page of one list.
  const asked = useMemo(() => {
    const of: GallerySearch = JSON.parse(key);
    return { assets: assetsAsked(of), tags: tagsAsked(of), moments: momentsOf(of) };
  }, [key]);
  const pageAt = (cursor: string | null, signal: AbortSignal) =>
    filter.label === undefined
      ? assetPage(asked.assets, asked.tags, cursor, signal)
      : jobPage(filter, asked.moments, cursor, signal);
  const list = useInfiniteQuery({
    queryKey: listKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => pageAt(pageParam, signal),
    getNextPageParam: (last: Page) => last.cursor,
    // Pages are appended, never changed in place, so searching for equal parts would cost more than it saves.
    structuralSharing: false,
    // Coming back shows the old list immediately, at the same position.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30 * 60_000,
  });
  const head = useQuery({
    queryKey: ["gallery-head", key],
    queryFn: ({ signal }) => pageAt(null, signal),
    enabled: list.isSuccess,
    refetchInterval: 8_000,
    staleTime: 4_000,
  });
  useEffect(() => {
    const fresh = head.data?.items;
    if (fresh === undefined) return;
    queries.setQueryData<InfiniteData<Page, string | null>>(listKey, (old) =>
      old === undefined ? old : withFresh(old, fresh),
    );
  }, [head.data, listKey, queries]);
  const items = useMemo(() => uniqueOf(list.data?.pages.flatMap((page) => page.items) ?? []), [list.data]);
  return {
    items,
    isPending: list.isPending,
    isFetching: list.isFetchingNextPage,
    hasMore: list.hasNextPage,
    fault: list.error,
    more: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
    again: () => void list.refetch(),
  };
}

function uniqueOf(items: readonly Item[]): readonly Item[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function withFresh(old: InfiniteData<Page, string | null>, fresh: readonly Item[]): InfiniteData<Page, string | null> {
  const known = new Set(old.pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const added = fresh.filter(({ id }) => !known.has(id));
  const [first, ...rest] = old.pages;
  if (added.length === 0 || first === undefined) return old;
  return { ...old, pages: [{ ...first, items: [...added, ...first.items] }, ...rest] };
}

// Updates items in every open list; null removes the item.
export function useChangeItems(): (change: (item: Item) => Item | null) => void {
  const queries = useQueryClient();
  return (change) =>
    queries.setQueriesData<InfiniteData<Page, string | null>>({ queryKey: ["gallery"] }, (old) =>
      old === undefined
        ? old
        : {
            ...old,
            pages: old.pages.map((page) => ({
              ...page,
              items: page.items.flatMap((item) => change(item) ?? []),
            })),
          },
    );
}
