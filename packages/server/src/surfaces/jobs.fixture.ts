// Shared by the tests of jobs; contains no tests: graphs, a worker that a test drives by hand through the real protocol, and a
// reader of event streams that can be cut off.
import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { ClaimedJob, JobEnding, JobProgress, PoolId } from "../capabilities/jobs/index.ts";
import { sharedPool } from "../capabilities/pools/index.ts";
import { newId } from "../foundation/ids.ts";
import { aClient, type Client, type House, type TestAnswer, textOf } from "./surfaces.fixture.ts";

// An image of one colour, scaled and saved.
export function aGraph(color = 255) {
  return {
    1: { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color } },
    2: {
      class_type: "ImageScale",
      inputs: { image: ["1", 0], upscale_method: "bilinear", width: 32, height: 32, crop: "disabled" },
    },
    3: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "out" } },
  };
}

export const jsonType = { "content-type": "application/json" };

export function submitTo(client: Client, body: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return client.ask("/api/v2/jobs", { method: "POST", body: text, headers: { ...jsonType, ...headers } });
}

export const idOf = (answer: TestAnswer): string => textOf(answer.json()["id"]);

export interface JobSurface {
  readonly port: (house: House) => number;
  // The prefix of its paths. None if absent.
  readonly mount?: (house: House) => string;
  readonly pool: (house: House) => PoolId;
  readonly credential: (house: House) => Record<string, string>;
  // Spec, Output URL rules: whether Output.url_expires_at repeats the job's, or is null.
  readonly showsExpiry: boolean;
  // Spec, v2 endpoints: GET /workflow.
  readonly showsExecuted: boolean;
}

const withKey = (house: House) => ({ "x-api-key": house.key });
// The differences between surfaces; they are listed nowhere else.
export const jobSurfaces: Readonly<Record<string, JobSurface>> = {
  cloud: {
    port: (house) => house.cloudPort,
    pool: () => sharedPool,
    credential: withKey,
    showsExpiry: true,
    showsExecuted: false,
  },
  deployment: {
    port: (house) => house.deploymentPort,
    mount: (house) => house.deploymentMount,
    pool: (house) => house.deploymentPool,
    credential: withKey,
    showsExpiry: true,
    showsExecuted: true,
  },
  "self-hosted": {
    port: (house) => house.selfHostedPort,
    pool: () => sharedPool,
    credential: () => ({}),
    showsExpiry: false,
    showsExecuted: false,
  },
};

export function clientOf(house: House, surface: JobSurface): Client {
  return aClient(`http://127.0.0.1:${surface.port(house)}`, surface.credential(house), surface.mount?.(house));
}

export interface HandWorker {
  // Claims the next job of the pool, which must be this one.
  claim(jobId: string): Promise<RunningJob>;
}

export interface RunningJob {
  readonly claimed: ClaimedJob;
  output(name: string, bytes?: string): Promise<void>;
  // `nodes`: their states, as a worker writes them.
  progress(value: number, nodes?: string): void;
  preview(bytes: Buffer): void;
  finish(ending?: JobEnding, nodes?: string): Promise<void>;
}

export const success: JobEnding = { kind: "succeeded", outputsReused: false, executedWorkflow: null };

export function aWorker(house: House, poolId: PoolId): HandWorker {
  const port = house.jobs.workers;
  const workerId = newId<"worker">();
  return {
    async claim(jobId) {
      const signal = AbortSignal.timeout(60_000);
      const [claimed] = await port.claim({ workerId, poolId, slots: 1, waitMs: 60_000, signal });
      assert.equal(claimed?.lease.jobId, jobId, "the next job of the pool");
      return running(house, claimed);
    },
  };
}

function running({ jobs }: House, claimed: ClaimedJob): RunningJob {
  const { lease } = claimed;
  let index = 0;
  async function* bytesOf(text: string) {
    yield Buffer.from(text);
  }
  const progressAt = (value: number): JobProgress => ({
    value,
    nodesDone: Math.floor(value * claimed.nodesTotal),
    nodesTotal: claimed.nodesTotal,
    currentNode: "2",
    currentNodeClass: "ImageScale",
    step: null,
    steps: null,
    message: null,
  });
  return {
    claimed,
    async output(name, bytes = name) {
      const request = { nodeId: "3", index: index++, name, contentType: "text/plain", source: bytesOf(bytes) };
      assert.ok(await jobs.workers.output(lease, request), "the lease is ours");
    },
    progress: (value, nodes) =>
      jobs.workers.progress(lease, progressAt(value), nodes === undefined ? undefined : () => nodes),
    preview: (bytes) => jobs.workers.preview(lease, { nodeId: "2", contentType: "image/png", bytes }),
    async finish(ending = success, nodes) {
      assert.equal(await jobs.workers.finish(lease, ending, nodes), true);
    },
  };
}

export interface StreamEvent {
  readonly event: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

export interface StreamReader {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly events: readonly StreamEvent[];
  readonly comments: readonly string[];
  until(isSo: (events: readonly StreamEvent[]) => boolean): Promise<void>;
  // Resolves when the server ended it.
  ended(): Promise<void>;
  cut(): void;
}

export async function openStream(
  url: string,
  headers: Record<string, string>,
  lastEventId?: string,
): Promise<StreamReader> {
  const resume = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false, headers: { accept: "text/event-stream", ...headers, ...resume } }, resolve).on(
      "error",
      reject,
    );
  });
  const events: StreamEvent[] = [];
  const comments: string[] = [];
  let text = "";
  let isEnded = false;
  answer.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const frame = text.slice(0, end);
      text = text.slice(end + 2);
      if (frame.startsWith(":")) comments.push(frame);
      else if (!frame.startsWith("retry:")) events.push(eventIn(frame));
    }
  });
  answer.on("end", () => {
    isEnded = true;
  });
  answer.on("error", () => undefined);
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    events,
    comments,
    until: (isSo) =>
      eventually(
        () => isSo(events),
        () => JSON.stringify(events),
      ),
    ended: () =>
      eventually(
        () => isEnded,
        () => JSON.stringify(events),
      ),
    cut: () => void answer.destroy(),
  };
}

function eventIn(frame: string): StreamEvent {
  const [, id = "", event = "", data = ""] = /^id: (.+)\nevent: (.+)\ndata: (.+)$/.exec(frame) ?? assert.fail(frame);
  return { id, event, data: JSON.parse(data) };
}

export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  what = () => "it did not become so",
): Promise<void> {
  for (let look = 0; look < 6_000; look++) {
    if (await isSo()) return;
    await wait(10);
  }
  assert.fail(what());
}

export const statusesIn = (events: readonly StreamEvent[]) =>
  events.filter(({ event }) => event === "status").map(({ data }) => data["status"]);
export const outputsIn = (events: readonly StreamEvent[]) =>
  events.filter(({ event }) => event === "output").map(({ data }) => data["name"]);
