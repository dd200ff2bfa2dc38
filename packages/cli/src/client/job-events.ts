// Follows a job to its end: by its event stream where that works, by asking again where it does not. The stream is
// never the truth: when it ends or falls silent, one read says where the job stands.
import type { Connection } from "./connection.ts";

export interface JobView {
  readonly id: string;
  readonly status: string;
  readonly queue_position: number | null;
  readonly progress: JobViewProgress | null;
  readonly outputs: readonly JobViewOutput[];
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly node_id?: string | null;
    readonly class_type?: string | null;
  } | null;
  readonly metrics?: Readonly<Record<string, number | null>>;
  readonly outputs_reused?: boolean;
  readonly urls: { readonly self: string; readonly events: string; readonly cancel: string };
}

export interface JobViewProgress {
  readonly value: number;
  readonly nodes_done: number;
  readonly nodes_total: number;
  readonly current_node_class?: string | null;
  readonly message?: string | null;
}

export interface JobViewOutput {
  readonly id: string;
  readonly node_id: string;
  readonly name: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly url: string;
}

export interface FollowedEvent {
  readonly event: string;
  readonly data: unknown;
}

export const hasEnded = (status: string): boolean => ["succeeded", "failed", "canceled", "expired"].includes(status);

// Servers write a comment every 15 seconds.
const silenceMs = 45_000;

export async function followJob(
  connection: Connection,
  job: JobView,
  tell: (event: FollowedEvent) => void,
  signal: AbortSignal,
): Promise<JobView> {
  let pauseMs = 200;
  let lastEventId: string | undefined;
  for (;;) {
    try {
      for await (const frame of stream(connection, job.urls.events, lastEventId, signal)) {
        pauseMs = 200;
        lastEventId = frame.id ?? lastEventId;
        tell(frame);
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    const now = await connection.read<JobView>(job.urls.self, { signal });
    if (hasEnded(now.status)) return now;
    tell({ event: "status", data: { status: now.status, queue_position: now.queue_position } });
    if (now.progress) tell({ event: "progress", data: now.progress });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(5_000, pauseMs * 1.5);
  }
}

async function* stream(
  connection: Connection,
  path: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<FollowedEvent & { id: string | undefined }> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), silenceMs);
  try {
    const response = await connection.call(path, {
      headers: { accept: "text/event-stream", ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) },
      signal: AbortSignal.any([signal, silent.signal]),
    });
    if (!response.body) return;
    let waiting = "";
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), silenceMs);
      waiting += text;
      const frames = waiting.split("\n\n");
      waiting = frames.pop() ?? "";
      for (const frame of frames) {
        const read = readFrame(frame);
        if (read) yield read;
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

export function readFrame(frame: string): (FollowedEvent & { id: string | undefined }) | null {
  let event = "message";
  let id: string | undefined;
  const data: string[] = [];
  for (const line of frame.split("\n")) {
    const [field = "", value = ""] = splitField(line);
    if (field === "event") event = value;
    else if (field === "id") id = value;
    else if (field === "data") data.push(value);
  }
  if (data.length === 0) return null;
  try {
    return { event, id, data: JSON.parse(data.join("\n")) };
  } catch {
    return null;
  }
}

function splitField(line: string): [string, string] {
  const colon = line.indexOf(":");
  if (colon <= 0) return ["", ""];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
