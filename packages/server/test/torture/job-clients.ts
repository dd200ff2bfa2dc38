// Callers of v2 jobs that do not give up: each submission has its own key and is repeated until a server answers 201;
// some jobs are watched and some canceled. The judge gets what they saw.
import { randomUUID } from "node:crypto";
import type { Job } from "@atelier/contract";
import { systemClock } from "../../src/foundation/clock.ts";
import { bearer } from "../support/app-client.ts";
import type { RouterServer } from "./router-world.ts";
import type { Seeded } from "./seeded.ts";

export type JobKind = "quick" | "loaded" | "slow" | "model";

export interface SubmittedJob {
  readonly key: string;
  readonly kind: JobKind;
  readonly graph: object;
  // There is no listener, but notices must still be made without a gap.
  readonly webhookUrl: string | null;
  // Every id that a 201 named. More than one means that the key did not work.
  readonly ids: Set<string>;
  // The final states seen, in order.
  readonly ended: Set<string>;
  isCanceled: boolean;
}

export interface JobClients {
  readonly jobs: readonly SubmittedJob[];
  readonly troubles: readonly string[];
  // Resolves when all jobs were submitted.
  readonly done: Promise<unknown>;
  stop(): Promise<void>;
}

export interface JobClientsOptions {
  readonly lanes: number;
  readonly random: Seeded;
  readonly key: string;
  readonly jobsMax: number;
  readonly paceMs: number;
  readonly webhookUrl: string;
  servers(): readonly RouterServer[];
  // An asset that graphs may load.
  assetId(): string;
}

const ends = new Set(["succeeded", "failed", "canceled", "expired"]);

export function startJobClients(options: JobClientsOptions): JobClients {
  const jobs: SubmittedJob[] = [];
  const troubles: string[] = [];
  let isOver = false;

  async function lane(random: Seeded): Promise<void> {
    while (!isOver && jobs.length < options.jobsMax) {
      const kind = random.pick<JobKind>(["quick", "quick", "loaded", "slow", "model"]);
      const job: SubmittedJob = {
        key: randomUUID(),
        kind,
        graph: graphOf(kind, jobs.length, options.assetId()),
        webhookUrl: random.chance(0.3) ? options.webhookUrl : null,
        ids: new Set(),
        ended: new Set(),
        isCanceled: random.chance(0.15),
      };
      jobs.push(job);
      await submit(job, random);
      // A second, equal submission must be the same job.
      if (random.chance(0.2)) await submit(job, random);
      if (job.isCanceled) await tryOnce(random, (server) => cancelOn(options.key, server, job));
      await systemClock.sleep(random.between(0, options.paceMs));
      if (random.chance(0.5)) await tryOnce(random, (server) => lookOn(options.key, server, job));
    }
  }

  async function submit(job: SubmittedJob, random: Seeded): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      const done = await tryOnce(random, (server) => submitOn(options.key, server, job));
      if (done === true) return;
      if (isOver && tries > 50) return;
      await systemClock.sleep(random.between(50, 300));
    }
    troubles.push(`the submission ${job.key} was never taken`);
  }

  async function tryOnce<T>(random: Seeded, act: (server: RouterServer) => Promise<T>): Promise<T | null> {
    const servers = options.servers();
    const server = servers[Math.floor(random.next() * servers.length)];
    if (!server) return null;
    // A broken connection says nothing: neither success nor failure.
    return act(server).catch((error: unknown) => {
      if (error instanceof WrongAnswer) troubles.push(error.message);
      return null;
    });
  }

  const running = Promise.all(
    Array.from({ length: options.lanes }, (_, index) => lane(options.random.stream(`lane ${index}`))),
  );
  return {
    jobs,
    troubles,
    done: running,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

class WrongAnswer extends Error {}

async function submitOn(key: string, { client }: RouterServer, job: SubmittedJob): Promise<boolean> {
  const answer = await client.call({
    method: "POST",
    path: "/api/v2/jobs",
    headers: { ...bearer(key), "idempotency-key": job.key },
    body: {
      workflow: job.graph,
      metadata: job.key,
      ...(job.webhookUrl === null ? {} : { webhook_url: job.webhookUrl }),
    },
  });
  // The last two come from a load balancer whose server died.
  if ([429, 500, 503, 502, 504].includes(answer.status)) return false;
  if (answer.status !== 201) throw new WrongAnswer(`${job.kind} was answered ${answer.status}: ${answer.bytes}`);
  job.ids.add((JSON.parse(answer.bytes.toString()) as Job).id);
  return true;
}

async function cancelOn(key: string, { client }: RouterServer, job: SubmittedJob): Promise<void> {
  for (const id of job.ids)
    await client.call({ method: "POST", path: `/api/v2/jobs/${id}/cancel`, headers: bearer(key) });
}

export async function lookOn(key: string, { client }: RouterServer, job: SubmittedJob): Promise<Job | null> {
  let found: Job | null = null;
  for (const id of job.ids) {
    const answer = await client.call({ path: `/api/v2/jobs/${id}`, headers: bearer(key) });
    if (answer.status === 404) throw new WrongAnswer(`the job ${id} was acknowledged and is gone`);
    if (answer.status !== 200) return null;
    found = JSON.parse(answer.bytes.toString()) as Job;
    if (ends.has(found.status)) job.ended.add(found.status);
  }
  return found;
}

export const hasEnded = (job: Job | null): job is Job => job !== null && ends.has(job.status);

function graphOf(kind: JobKind, number: number, assetId: string): object {
  const save = (from: string) => ({
    class_type: "SaveImage",
    inputs: { images: [from, 0], filename_prefix: `torture-${number}` },
  });
  const empty = (side: number) => ({
    class_type: "EmptyImage",
    inputs: { width: side, height: side, batch_size: 1, color: number },
  });
  switch (kind) {
    case "quick":
      return { "1": empty(64), "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } }, "3": save("2") };
    case "loaded":
      return {
        "1": { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET", info: { id: assetId } } } },
        "2": empty(64),
        "3": {
          class_type: "ImageCompositeMasked",
          inputs: { destination: ["2", 0], source: ["1", 0], x: 8, y: 8, resize_source: false },
        },
        "4": save("3"),
      };
    case "slow":
      return {
        "1": empty(1536),
        "2": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 31, sigma: 8 } },
        "3": save("2"),
      };
    case "model":
      return {
        "1": {
          class_type: "AtelierModelImage",
          inputs: {
            model: "sandbox/image-1-queued",
            prompt: `number ${number}`,
            width: 64,
            height: 64,
            seed: number,
            parameters: '{"response_format": "b64_json", "simulate_seconds": 0.3}',
          },
        },
        "2": save("1"),
      };
  }
}
