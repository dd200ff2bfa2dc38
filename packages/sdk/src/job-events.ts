// Follows a job: by the event stream while it works, by plain reads when it does not. The stream is never the truth (Spec, v2
// design rule 1): we read what it misses from the job, and stop when the job itself says it has ended.
import { type EventFrame, eventFrames } from "./event-frames.ts";
import { parseJson } from "./exact-json.ts";
import { AtelierError } from "./failures.ts";
import type { Job, JobState, Output, Progress } from "./generated/wire.ts";
import { readJson } from "./pages.ts";
import { pause } from "./pause.ts";
import { pickSignal, type Transport } from "./transport.ts";

/** What happens to a job. Each output comes once, before the terminal status. */
export type JobEvent =
  | { readonly type: "status"; readonly status: JobState; readonly queuePosition: number | null }
  | { readonly type: "progress"; readonly progress: Progress }
  | { readonly type: "preview"; readonly nodeId: string; readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly type: "output"; readonly output: Output };

const terminal: ReadonlySet<JobState> = new Set(["succeeded", "failed", "canceled", "expired"]);
export const hasEnded = ({ status }: Pick<Job, "status">): boolean => terminal.has(status);

// The server sends a sign of life every 15 s.
const silenceMs = 45_000;

interface Seen {
  readonly outputs: Set<string>;
  status: string;
  progress: string;
  lastId: string | null;
}

export async function* jobEvents(
  transport: Transport,
  links: Job["urls"],
  signal: AbortSignal | undefined,
): AsyncGenerator<JobEvent, void> {
  const seen: Seen = { outputs: new Set(), status: "", progress: "", lastId: null };
  let failures = 0;
  let waitMs = 500;
  for (;;) {
    const streamed = failures < 3 ? await openStream(transport, links.events, seen, signal) : null;
    if (streamed === null) failures++;
    else {
      const ended = yield* fromStream(streamed, seen);
      if (ended) return;
      failures = streamed.framesRead > 0 ? 0 : failures + 1;
    }
    const job: Job = await readJson(transport, links.self, pickSignal({ signal }));
    yield* fromJob(job, seen);
    if (hasEnded(job)) return;
    await pause(failures < 3 ? 100 : waitMs, signal);
    waitMs = Math.min(5000, waitMs * 1.5);
  }
}

interface OpenStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly alive: () => void;
  readonly end: () => void;
  framesRead: number;
}

// Null if no stream is available now; the caller polls instead.
async function openStream(
  transport: Transport,
  link: string,
  seen: Seen,
  signal: AbortSignal | undefined,
): Promise<OpenStream | null> {
  const own = new AbortController();
  const follow = () => own.abort(signal?.reason);
  signal?.addEventListener("abort", follow, { once: true });
  if (signal?.aborted) follow();
  let timer: ReturnType<typeof setTimeout>;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(), silenceMs);
  };
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
    own.abort();
  };
  alive();
  try {
    const headers = { accept: "text/event-stream", ...(seen.lastId === null ? {} : { "last-event-id": seen.lastId }) };
    const response = await transport.send(link, { headers, signal: own.signal, maxRetries: 0, timeoutMs: silenceMs });
    if (response.body) return { body: response.body, alive, end, framesRead: 0 };
  } catch (thrown) {
    end();
    signal?.throwIfAborted();
    const isHopeless = thrown instanceof AtelierError && [401, 403, 404].includes(thrown.status);
    if (isHopeless) throw thrown;
    return null;
  }
  end();
  return null;
}

// True once the terminal status arrives.
async function* fromStream(stream: OpenStream, seen: Seen): AsyncGenerator<JobEvent, boolean> {
  try {
    for await (const frame of eventFrames(stream.body)) {
      stream.alive();
      if (frame === null) continue;
      stream.framesRead++;
      if (frame.id !== null) seen.lastId = frame.id;
      const event = readEvent(frame);
      if (event === null || !isNew(event, seen)) continue;
      yield event;
      if (event.type === "status" && terminal.has(event.status)) return true;
    }
  } catch {
    // The stream was cut off or fell silent; the caller reads the job next.
  } finally {
    stream.end();
  }
  return false;
}

function* fromJob(job: Job, seen: Seen): Generator<JobEvent, void> {
  const status: JobEvent = { type: "status", status: job.status, queuePosition: job.queue_position };
  const events: JobEvent[] = [
    ...(job.progress === null ? [] : [{ type: "progress" as const, progress: job.progress }]),
    ...job.outputs.map((output) => ({ type: "output" as const, output })),
  ];
  // Outputs before the terminal status, in the same order as the stream.
  for (const event of hasEnded(job) ? [...events, status] : [status, ...events]) if (isNew(event, seen)) yield event;
}

function isNew(event: JobEvent, seen: Seen): boolean {
  if (event.type === "preview") return true;
  if (event.type === "output") {
    const isFirst = !seen.outputs.has(event.output.id);
    seen.outputs.add(event.output.id);
    return isFirst;
  }
  const { type } = event;
  const text = JSON.stringify(event);
  const isOther = seen[type] !== text;
  seen[type] = text;
  return isOther;
}

function readEvent({ event, data: text }: EventFrame): JobEvent | null {
  let data: Readonly<Record<string, unknown>>;
  try {
    data = parseJson(text) as typeof data;
  } catch {
    return null;
  }
  switch (event) {
    case "status":
      return {
        type: event,
        status: data["status"] as JobState,
        queuePosition: (data["queue_position"] ?? null) as never,
      };
    case "progress":
      return { type: event, progress: data as unknown as Progress };
    case "output":
      return { type: event, output: data as unknown as Output };
    case "preview":
      return {
        type: event,
        nodeId: String(data["node_id"]),
        contentType: String(data["content_type"]),
        bytes: fromBase64(String(data["data_base64"])),
      };
    default:
      return null;
  }
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
