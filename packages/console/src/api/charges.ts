// What jobs were charged and what classes cost. v2 does not mention credits; the account and the badges do, and the self-hosted
// surface has neither.
import type { BadgeMap, Job, JobCharges } from "@atelier/sdk";
import { notifyManager, type QueryCache, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { call } from "./client.ts";
import { configQuery } from "./config.ts";
import { isActive } from "./jobs.ts";
import { operations } from "./operations.ts";
import { readQuery } from "./read-query.ts";

const useHasCredits = (): boolean => useQuery(configQuery).data?.surface === "cloud";

// In full, with each node's charge; polled while the job runs.
export function useJobCharges(job: Pick<Job, "id" | "status"> | undefined): UseQueryResult<JobCharges> {
  const hasCredits = useHasCredits();
  const isOpen = job !== undefined && isActive(job);
  return useQuery({
    ...readQuery(["job", job?.id, "charges", isOpen], operations.getJobCharges, { params: { jobId: job?.id ?? "" } }),
    enabled: hasCredits && job !== undefined && job.status !== "queued",
    staleTime: isOpen ? 2_000 : Number.POSITIVE_INFINITY,
    refetchInterval: isOpen ? 5_000 : false,
  });
}

const ofRows = ["row-charges"];

// For one row of a list; rows that ask at the same moment share one request.
export function useJobCharge(job: Pick<Job, "id" | "status">): string | null {
  const hasCredits = useHasCredits();
  const { data } = useQuery({
    queryKey: [...ofRows, job.id],
    queryFn: () => chargeOf(job.id),
    enabled: hasCredits && !isActive(job),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}

// One note for the whole list if the charges of its rows failed to load.
export function useRowChargesFault(): { readonly fault: unknown; readonly retry: () => void } {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(notifyManager.batchCalls(changed)), [cache]);
  const fault = useSyncExternalStore(subscribe, () => rowChargesFault(cache));
  return { fault, retry: () => void queries.refetchQueries({ queryKey: ofRows, type: "active" }) };
}

// Only of rows on the page: the note goes away with the rows that failed.
export const rowChargesFault = (cache: QueryCache): Error | null =>
  cache.findAll({ queryKey: ofRows, type: "active" }).find(({ state }) => state.error !== null)?.state.error ?? null;

interface Asking {
  readonly ids: Set<string>;
  readonly answer: Promise<ReadonlyMap<string, string | null>>;
}

const idsPerQuestion = 100;
const gatherMs = 20;
let asking: Asking | null = null;

async function chargeOf(id: string): Promise<string | null> {
  if (asking === null || asking.ids.size >= idsPerQuestion) asking = gather();
  asking.ids.add(id);
  return (await asking.answer).get(id) ?? null;
}

function gather(): Asking {
  const ids = new Set<string>();
  const answer = new Promise((resolve) => setTimeout(resolve, gatherMs)).then(async () => {
    if (asking?.ids === ids) asking = null;
    const { data } = await call(operations.listJobCharges, { query: { job_id: [...ids] } });
    return new Map(data.map(({ job_id, credits }) => [job_id, credits]));
  });
  return { ids, answer };
}

// By class name; empty if nothing is sold, and until the badges arrive: classes are usable without them.
export function useBadges(): BadgeMap {
  const hasCredits = useHasCredits();
  const { data } = useQuery({
    ...readQuery(["badges"], operations.getBadges, { query: { app_version: "nightly", platform: "cloud" } }),
    enabled: hasCredits,
    staleTime: 300_000,
  });
  return data ?? {};
}
