// A scripted job and readers that come late, are cut off anywhere (even between two frames of one write), come back with the
// last id they saw, or read slowly. In the end, each has everything that the job has.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Job, JobOutput, JobProgress, JobState } from "../../../capabilities/jobs/index.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import type { EventStream } from "../../../foundation/http/streams/event-stream.ts";
import { newId } from "../../../foundation/ids.ts";
import { aJob, aSurface } from "../jobs.fixture.ts";
import { JobBroadcast } from "./job-broadcast.ts";
import { jobFrames, versionIn } from "./job-frames.ts";

const surface = aSurface();

const anOutput = (version: number): JobOutput => ({
  assetId: newId(),
  nodeId: "9",
  name: `${version}.png`,
  kind: "image",
  contentType: "image/png",
  sizeBytes: 1,
  hash: "0".repeat(64),
  folder: "output",
  version,
});
const aProgress = (value: number): JobProgress => ({
  value,
  nodesDone: 0,
  nodesTotal: 2,
  currentNode: "1",
  currentNodeClass: "X",
  step: null,
  steps: null,
  message: null,
});

interface Event {
  readonly event: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

function eventsIn(bytes: Buffer): Event[] {
  const frames = bytes.toString().split("\n\n");
  assert.equal(frames.pop(), "");
  return frames.map((frame) => {
    const [, id = "", event = "", data = ""] = /^id: (.+)\nevent: (.+)\ndata: (.+)$/.exec(frame) ?? assert.fail(frame);
    return { id, event, data: JSON.parse(data) };
  });
}

// One client over several connections. While it `isSlow` it takes nothing; `cutAfter` is how many events of a write arrive.
class Client {
  readonly outputs: string[] = [];
  readonly statuses: string[] = [];
  readonly progress: number[] = [];
  lastEventId: string | undefined;
  isSlow = false;
  isEnded = false;
  #isCut = false;
  #missed = false;
  #remove = () => {};
  #stream: EventStream | null = null;
  readonly #broadcast: JobBroadcast;

  constructor(broadcast: JobBroadcast) {
    this.#broadcast = broadcast;
  }

  connect(job: Job): void {
    this.#isCut = false;
    this.#missed = false;
    const stream: EventStream = {
      send: (_kind, frame) => {
        if (this.isSlow || this.#missed) {
          this.#missed = true;
          return false;
        }
        this.#take(frame);
        return true;
      },
      finish: (frame) => {
        if (frame) this.#take(frame);
        if (!this.#isCut) this.isEnded = true;
      },
      isClosed: false,
      onClosed: () => undefined,
    };
    this.#stream = stream;
    this.#broadcast.absorb(job);
    this.#remove = this.#broadcast.add(stream, versionIn(this.lastEventId, job.version));
  }

  // The connection breaks after this many more events.
  cut(after: number): void {
    this.#cutAfter = after;
    if (after === 0) this.#drop();
  }

  #cutAfter = Number.POSITIVE_INFINITY;

  get isCut(): boolean {
    return this.#isCut;
  }

  #drop(): void {
    this.#isCut = true;
    this.#cutAfter = Number.POSITIVE_INFINITY;
    this.#remove();
  }

  recover(): void {
    this.isSlow = false;
    if (!this.#missed || this.#isCut || this.#stream === null) return;
    this.#missed = false;
    const frame = this.#broadcast.catchUp(this.#stream);
    if (frame) this.#take(frame);
  }

  #take(frame: Buffer): void {
    for (const { event, id, data } of eventsIn(frame)) {
      if (this.#isCut) return;
      this.lastEventId = id;
      if (event === "output") this.outputs.push(String(data["name"]));
      if (event === "status") this.statuses.push(String(data["status"]));
      if (event === "progress") this.progress.push(Number(data["value"]));
      if (--this.#cutAfter <= 0) this.#drop();
    }
  }
}

const aStep = fc.oneof(
  { weight: 3, arbitrary: fc.constant("output" as const) },
  { weight: 3, arbitrary: fc.constant("progress" as const) },
  { weight: 1, arbitrary: fc.constant("preview" as const) },
  { weight: 1, arbitrary: fc.constant("place" as const) },
  { weight: 1, arbitrary: fc.constant("run" as const) },
  { weight: 3, arbitrary: fc.record({ cut: fc.nat(4), client: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ connect: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ slow: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ recover: fc.nat(2) }) },
  // A change that this process never heard of: the next one, or a reader's own read, reveals it.
  { weight: 2, arbitrary: fc.constant("unheard" as const) },
  { weight: 1, arbitrary: fc.constant("wait" as const) },
);

test("readers that are cut off at random points and come back have every output once and the state that a read shows", async () => {
  const ending = fc.constantFrom<JobState>("succeeded", "failed", "canceled", "expired");
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 60 }), ending, async (steps, last) => {
      const clock = handClock();
      const broadcast = new JobBroadcast({ frames: jobFrames(surface, { headers: {} }), clock });
      let job = aJob();
      broadcast.absorb(job);
      const clients = [0, 1, 2].map(() => new Client(broadcast));
      for (const client of clients) client.connect(job);
      const change = (changed: Partial<Job>, isHeard = true) => {
        job = { ...job, ...changed };
        if (isHeard) broadcast.receive({ kind: "status", job, preview: null });
      };
      const running = (version: number) => ({ state: "running" as const, queuePosition: null, version });
      for (const step of steps) {
        const next = job.version + 1;
        if (step === "run") change(running(next));
        else if (step === "place" && job.state === "queued") change({ queuePosition: (job.queuePosition ?? 1) - 1 });
        else if (step === "progress") change({ progress: aProgress(Math.min(1, (job.progress?.value ?? 0) + 0.1)) });
        else if (step === "output") change({ ...running(next), outputs: [...job.outputs, anOutput(next)] });
        else if (step === "unheard") change({ ...running(next), outputs: [...job.outputs, anOutput(next)] }, false);
        else if (step === "preview") {
          const preview = { nodeId: "1", contentType: "image/png", bytes: Buffer.from("x") };
          broadcast.receive({ kind: "preview", job, preview });
        } else if (step === "wait") await clock.advance(500);
        else if (typeof step === "object" && "cut" in step) clients[step.client]?.cut(step.cut);
        else if (typeof step === "object" && "slow" in step)
          for (const client of clients) client.isSlow ||= client === clients[step.slow];
        else if (typeof step === "object" && "recover" in step) clients[step.recover]?.recover();
        else if (typeof step === "object" && "connect" in step) {
          const client = clients[step.connect];
          if (client?.isCut) client.connect(job);
        }
        // After each step one read shows everything that a stream has sent.
        for (const { outputs } of clients) {
          assert.ok(outputs.every((name) => job.outputs.some((output) => output.name === name)));
        }
      }
      for (const client of clients) client.cut(client.isCut ? 0 : Number.POSITIVE_INFINITY);
      change({ state: last, version: job.version + 1, queuePosition: null });
      for (const client of clients) if (client.isCut) client.connect(job);
      const names = job.outputs.map(({ name }) => name);
      for (const client of clients) {
        assert.deepEqual(client.outputs, names);
        assert.equal(client.statuses.at(-1), last);
        assert.ok(client.isEnded);
        assert.deepEqual(
          client.progress,
          client.progress.toSorted((a, b) => a - b),
        );
      }
    }),
    { numRuns: 400 },
  );
});

function watched(job: Job) {
  const clock = handClock();
  const broadcast = new JobBroadcast({ frames: jobFrames(surface, { headers: {} }), clock });
  broadcast.absorb(job);
  const frames: Buffer[] = [];
  const stream = (): EventStream => ({
    send: (_kind, frame) => frames.push(frame) > 0,
    finish: (frame) => void (frame && frames.push(frame)),
    isClosed: false,
    onClosed: () => undefined,
  });
  const sent = () => frames.flatMap((frame) => eventsIn(frame));
  return { clock, broadcast, frames, stream, sent };
}

test("the snapshot is status, progress, preview, outputs so far; its ids say that the outputs come after them", () => {
  const job = aJob({ state: "running", version: 5, progress: aProgress(0.5), outputs: [anOutput(3), anOutput(4)] });
  const { broadcast, stream, sent } = watched(job);
  broadcast.absorbPreview({ nodeId: "1", contentType: "image/png", bytes: Buffer.from("x") });
  broadcast.add(stream(), null);
  assert.deepEqual(
    sent().map(({ event, id }) => [event, id]),
    [
      ["status", "0"],
      ["progress", "0"],
      ["preview", "0"],
      ["output", "3"],
      ["output", "4"],
    ],
  );
});

test("an ended job is sent with its outputs first and the status last", () => {
  const job = aJob({ state: "failed", version: 6, outputs: [anOutput(3)] });
  const { broadcast, stream, sent } = watched(job);
  broadcast.add(stream(), null);
  assert.deepEqual(
    sent().map(({ event }) => event),
    ["output", "status"],
  );
});

test("a node's change is sent even if the share is unchanged, and an older picture is not", async () => {
  const nodes = (sequence: number, done: number) =>
    `[1,1,${sequence},[${2 - done},0,0,${done},0],[["X",0,0,0]],[["1",0,0,${done > 0 ? 3 : 0}]]]`;
  const job = aJob({ state: "running", version: 2, attempt: 1, progress: { ...aProgress(0.5), nodes: nodes(7, 0) } });
  const { clock, broadcast, stream, sent } = watched(job);
  broadcast.add(stream(), null);
  for (const text of [nodes(9, 1), nodes(8, 0), null]) {
    broadcast.absorb({ ...job, progress: { ...aProgress(0.5), nodes: text } });
    await clock.advance(600);
  }
  const states = sent().flatMap(({ event, data }) => (event === "progress" ? [data["node_counts"]] : []));
  const counts = { waiting: 2, running: 0, cached: 0, done: 0, failed: 0 };
  assert.deepEqual(states, [counts, { ...counts, waiting: 1, done: 1 }]);
});

test("the last preview is sent before the end, even for a job that ends at once or has ended", () => {
  const job = aJob({ state: "running", version: 2, progress: aProgress(0.5) });
  const preview = (text: string) => ({ nodeId: "1", contentType: "image/png", bytes: Buffer.from(text) });
  const { broadcast, stream, sent } = watched(job);
  broadcast.add(stream(), null);
  broadcast.receive({ kind: "preview", job, preview: preview("early") });
  const ended = { ...job, state: "succeeded" as const, version: 3 };
  broadcast.receive({ kind: "preview", job: ended, preview: preview("last") });
  broadcast.add(stream(), null);
  const shown = sent().map(({ event, data }) =>
    event === "preview" ? Buffer.from(String(data["data_base64"]), "base64").toString() : event,
  );
  assert.deepEqual(shown, ["status", "progress", "early", "last", "status", "progress", "last", "status"]);
});

test("progress and previews come twice a second at most, the newest wins, and the last progress is not lost", async () => {
  const job = aJob({ state: "running", version: 2 });
  const { clock, broadcast, stream, sent } = watched(job);
  broadcast.add(stream(), null);
  for (let step = 1; step <= 100; step++) {
    const preview = { nodeId: "1", contentType: "image/png", bytes: Buffer.from([step]) };
    broadcast.receive({ kind: "preview", job: { ...job, progress: aProgress(step / 100) }, preview });
    await clock.advance(20);
  }
  const values = sent().filter(({ event }) => event === "progress");
  const previews = sent().filter(({ event }) => event === "preview");
  assert.ok(values.length >= 4 && values.length <= 6, `${values.length} in two seconds`);
  assert.ok(previews.length >= 4 && previews.length <= 6, `${previews.length} in two seconds`);
  broadcast.receive({
    kind: "status",
    job: { ...job, progress: aProgress(1), state: "succeeded", version: 3 },
    preview: null,
  });
  assert.deepEqual(
    sent()
      .slice(-2)
      .map(({ event, data }) => [event, data["value"] ?? data["status"]]),
    [
      ["progress", 1],
      ["status", "succeeded"],
    ],
  );
});

test("an event is encoded once and every reader gets the same bytes", () => {
  const job = aJob({ state: "running", version: 2 });
  const { broadcast, stream, frames } = watched(job);
  for (let readers = 0; readers < 50; readers++) broadcast.add(stream(), null);
  frames.length = 0;
  broadcast.receive({ kind: "output", job: { ...job, version: 3, outputs: [anOutput(3)] }, preview: null });
  assert.equal(frames.length, 50);
  assert.equal(new Set(frames).size, 1);
});

test("a returning reader gets the states in between from the log", () => {
  const job = aJob();
  const { broadcast, stream, sent } = watched(job);
  broadcast.receive({
    kind: "status",
    job: { ...job, state: "running", version: 2, queuePosition: null },
    preview: null,
  });
  broadcast.receive({
    kind: "status",
    job: { ...job, state: "canceling", version: 3, queuePosition: null },
    preview: null,
  });
  broadcast.add(stream(), 1);
  const statuses = sent().map(({ data }) => data["status"]);
  assert.deepEqual(statuses, ["running", "canceling", "canceling"]);
});

test("outputs of an abandoned attempt are never sent afterwards", () => {
  const job = aJob({ state: "running", version: 2 });
  const { broadcast, stream, sent } = watched(job);
  const failed = { ...job, version: 3, outputs: [anOutput(3)] };
  broadcast.receive({ kind: "output", job: failed, preview: null });
  broadcast.receive({ kind: "status", job: { ...job, state: "queued", version: 4 }, preview: null });
  const second = { ...job, version: 6, outputs: [anOutput(6)] };
  broadcast.receive({ kind: "output", job: second, preview: null });
  broadcast.add(stream(), 2);
  assert.deepEqual(
    sent()
      .filter(({ event }) => event === "output")
      .map(({ data }) => data["name"]),
    ["6.png"],
  );
});

test("an unknown event id starts over", () => {
  for (const id of ["", "x", "-1", "1.5", "99999999999999999", "8", " 1", undefined])
    assert.equal(versionIn(id, 7), null);
  assert.equal(versionIn("7", 7), 7);
});
