// What the client of a tortured proxy was promised, and whether it is still true: jobs under their ids and keys, endings
// that do not change, outputs with the requested picture, files with their bytes.
import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { at } from "../support/proxy-app.ts";
import { until } from "../support/server-process.ts";
import type { ProxyWorld } from "./proxy-world.ts";

export interface RecordedJob {
  readonly key: string;
  readonly id: string;
  readonly workflow: object;
  readonly colour: number;
  // The ending as first seen.
  ending: string | null;
  outputId: string | null;
}

export interface ProxyRecords {
  readonly jobs: readonly RecordedJob[];
  readonly violations: readonly string[];
  submit(seconds: number): Promise<RecordedJob>;
  upload(): Promise<void>;
  untilEnded(jobs: readonly RecordedJob[], secondsMax: number): Promise<void>;
  isRunning(job: RecordedJob): Promise<boolean>;
  // Checks every promise once more.
  audit(): Promise<void>;
}

const json = (body: object, key?: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) },
  body: JSON.stringify(body),
});

export function proxyRecords(world: ProxyWorld): ProxyRecords {
  const jobs: RecordedJob[] = [];
  const files: { readonly id: string; readonly bytes: Buffer }[] = [];
  const violations: string[] = [];
  const check = (isTrue: boolean, sentence: string) => {
    if (!isTrue) violations.push(sentence);
  };

  async function look(job: RecordedJob): Promise<unknown> {
    const answer = await world.ask(`/api/v2/jobs/${job.id}`);
    check(answer.status === 200, `job ${job.id} answers ${answer.status}`);
    const read = answer.json();
    if (at(read, "completed_at") !== null) judgeEnd(job, read);
    return read;
  }

  function judgeEnd(job: RecordedJob, read: unknown): void {
    const ending = `${at(read, "status")} ${at(read, "error", "code") ?? ""}`.trim();
    check(job.ending === null || job.ending === ending, `job ${job.id} was ${job.ending} and is ${ending}`);
    job.ending ??= ending;
    check(["succeeded", "failed application_restarted"].includes(ending), `job ${job.id} ended as ${ending}`);
    if (ending !== "succeeded") return;
    const outputs = at(read, "outputs");
    const made = Array.isArray(outputs) ? outputs : [];
    check(made.length === 1, `job ${job.id} has ${made.length} outputs: ${JSON.stringify(made)}`);
    job.outputId = String(at(outputs, 0, "id"));
  }

  async function auditJob(job: RecordedJob): Promise<void> {
    await look(job);
    const again = await world.ask("/api/v2/jobs", json({ workflow: job.workflow }, job.key));
    check(
      again.status === 201 && at(again.json(), "id") === job.id && again.headers.get("idempotent-replayed") === "true",
      `the key of job ${job.id} answers ${again.status}`,
    );
    if (job.outputId === null) return;
    const { status, bytes } = await world.ask(`/api/v2/assets/${job.outputId}/content`);
    const colour = status === 200 ? await colourOf(bytes) : -1;
    check(colour === job.colour, `the output of job ${job.id} is ${status} ${colour.toString(16)}`);
  }

  return {
    jobs,
    violations,
    async submit(seconds) {
      const colour = (jobs.length * 0x10_41_07 + 0x20_30_40) % 0x1_00_00_00;
      const [key, workflow] = [randomUUID(), graphOf(colour, seconds)];
      const answer = await world.ask("/api/v2/jobs", json({ workflow }, key));
      check(answer.status === 201, `a submission answers ${answer.status}: ${answer.bytes.toString("utf8")}`);
      const job: RecordedJob = {
        key,
        id: String(at(answer.json(), "id")),
        workflow,
        colour,
        ending: null,
        outputId: null,
      };
      jobs.push(job);
      return job;
    },
    async upload() {
      const bytes = Buffer.from(randomUUID());
      const form = new FormData();
      form.append("content_type", "text/plain");
      form.append("file_path", `${files.length}.txt`);
      form.append("file", new Blob([bytes]), "file");
      const answer = await world.ask("/api/v2/assets", { method: "POST", body: form });
      check(answer.status === 201 || answer.status === 200, `an upload answers ${answer.status}`);
      files.push({ id: String(at(answer.json(), "id")), bytes });
    },
    isRunning: async (job) => at(await look(job), "status") === "running",
    async untilEnded(waited, secondsMax) {
      for (const job of waited)
        await until(`job ${job.id} ends`, async () => at(await look(job), "completed_at") !== null, secondsMax).catch(
          (error: unknown) => violations.push(String(error)),
        );
    },
    async audit() {
      for (const job of jobs) await auditJob(job);
      for (const { id, bytes } of files) {
        const { status, bytes: read } = await world.ask(`/api/v2/assets/${id}/content`);
        check(status === 200 && read.equals(bytes), `the file ${id} is ${status}`);
      }
    },
  };
}

function graphOf(color: number, seconds: number): object {
  return {
    "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color } },
    "2": { class_type: "TestSleep", inputs: { value: ["1", 0], seconds } },
    "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "torture" } },
  };
}

async function colourOf(bytes: Buffer): Promise<number> {
  const pixels = await sharp(bytes).removeAlpha().raw().toBuffer();
  return (pixels[0] ?? 0) * 0x1_00_00 + (pixels[1] ?? 0) * 0x1_00 + (pixels[2] ?? 0);
}
