// One job, live. The stream only updates the display; the truth comes from reading the job: on opening, on every new stream, at
// the end, and every ten seconds in between. Without a stream we read it every two seconds, and miss nothing.
import { type Job, type JobState, type Output, type Progress, parseJson } from "@atelier/sdk";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { callRaw } from "../../api/client.ts";
import { readFrames, type StreamFrame } from "../../api/event-stream.ts";
import { ApiFault, asFault, faultOf } from "../../api/fault.ts";
import { endedStates, isActive, jobQuery } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";

export type LiveMode = "connecting" | "live" | "polling" | "ended";

const liveReadMs = 10_000;
export const pollMs = 2_000;
const firstPauseMs = 1_000;
const lastPauseMs = 30_000;

export interface LiveJob {
  readonly job: Job | undefined;
  readonly fault: unknown;
  readonly mode: LiveMode;
  // When it was last read.
  readonly readAt: number;
  retry(): void;
}

export function useLiveJob(id: string): LiveJob {
  const client = useQueryClient();
  const [mode, setMode] = useState<LiveMode>("connecting");
  const query = useQuery({
    ...jobQuery(id),
    refetchOnMount: "always",
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && !isActive(data) ? false : mode === "live" ? liveReadMs : pollMs,
  });
  const goesOn = query.data !== undefined && isActive(query.data);
  useEffect(() => {
    if (!goesOn) return;
    const control = new AbortController();
    void follow(client, id, setMode, control.signal);
    return () => control.abort();
  }, [client, id, goesOn]);
  const isOver = query.data !== undefined && !goesOn;
  return {
    job: query.data,
    fault: query.error,
    mode: isOver ? "ended" : mode,
    readAt: query.dataUpdatedAt,
    retry: () => void query.refetch(),
  };
}

async function follow(
  client: QueryClient,
  id: string,
  setMode: (mode: LiveMode) => void,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = firstPauseMs;
  let lastId: string | null = null;
  const read = () => client.invalidateQueries({ queryKey: jobQuery(id).queryKey, exact: true });
  while (!signal.aborted) {
    try {
      const headers = { accept: "text/event-stream", ...(lastId === null ? {} : { "last-event-id": lastId }) };
      const response: Response = await callRaw(operations.followJobEvents, { params: { id }, headers, signal });
      if (response.body === null) throw await faultOf(response);
      setMode("live");
      void read();
      for await (const frame of readFrames(response.body)) {
        if (signal.aborted) return;
        lastId = frame.id ?? lastId;
        pauseMs = firstPauseMs;
        if (paint(client, id, frame)) return void read();
      }
    } catch (thrown) {
      if (signal.aborted) return;
      // This surface has no streams, so there is nothing to retry.
      if (thrown instanceof ApiFault && thrown.status === 501) return setMode("polling");
    }
    if (signal.aborted) return;
    setMode("polling");
    void read();
    await pause(pauseMs, signal);
    pauseMs = Math.min(lastPauseMs, pauseMs * 2);
  }
}

// True if this was the final event.
function paint(client: QueryClient, id: string, { event, data }: StreamFrame): boolean {
  const { queryKey } = jobQuery(id);
  const payload = parseJson(data);
  if (event === "preview") {
    const { content_type, data_base64 } = payload as { readonly content_type: string; readonly data_base64: string };
    const bytes = Uint8Array.from(atob(data_base64), (character) => character.charCodeAt(0));
    client.setQueryData(previewKey(id), new Blob([bytes], { type: content_type }));
    return false;
  }
  const patch = patchOf(event, payload);
  // Only a read of the job can tell that it has ended.
  if (event === "status" && endedStates.has((payload as { status: JobState }).status)) return true;
  if (patch !== null) client.setQueryData<Job>(queryKey, (job) => job && { ...job, ...patch(job) });
  return false;
}

function patchOf(event: string, payload: unknown): ((job: Job) => Partial<Job>) | null {
  if (event === "progress") return () => ({ progress: payload as Progress });
  if (event === "output") {
    const output = payload as Output;
    return ({ outputs }) => (outputs.some(({ id }) => id === output.id) ? {} : { outputs: [...outputs, output] });
  }
  if (event !== "status") return null;
  const { status, queue_position } = payload as { status: JobState; queue_position?: number | null };
  return () => ({ status, queue_position: queue_position ?? null });
}

const previewKey = (id: string) => ["job", id, "preview"] as const;

// The newest preview as bytes; null while there is none.
export function usePreview(id: string, mode: LiveMode): Blob | null {
  const { data } = useQuery({
    queryKey: previewKey(id),
    queryFn: async ({ client, signal }): Promise<Blob | null> => {
      const shown = () => client.getQueryData<Blob | null>(previewKey(id));
      const before = shown();
      const read = await readPreview(id, signal);
      // What the stream delivered during the request is newer than the answer.
      const now = shown();
      return now !== undefined && now !== before ? now : read;
    },
    staleTime: pollMs,
    structuralSharing: false,
    refetchInterval: mode === "polling" ? 2 * pollMs : false,
  });
  return data ?? null;
}

async function readPreview(id: string, signal: AbortSignal): Promise<Blob | null> {
  try {
    return await (await callRaw(operations.getJobPreview, { params: { id }, signal })).blob();
  } catch (thrown) {
    if (asFault(thrown).status === 404) return null;
    throw thrown;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
