// Shared by the tests of this folder: a stand-in application, a client of it, and jobs to run.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type RunningSandboxApplication,
  type SandboxApplicationOptions,
  startSandboxApplication,
} from "@atelier/sandbox";
import { systemClock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import type { NodeBoard, RunReport } from "../graph-runs/index.ts";
import type { ClaimedJob, JobEnding, JobPreview, JobProgress, OutputFolder } from "../jobs/index.ts";
import type { Application } from "./application.ts";
import { type ApplicationRunnerDeps, applicationRunner } from "./application-runner.ts";
import { openApplication } from "./open-application.ts";

export interface KeptOutput {
  readonly nodeId: string;
  readonly index: number;
  readonly name: string;
  readonly contentType: string;
  readonly folder: OutputFolder;
  readonly bytes: Buffer;
}

export interface Reported {
  readonly outputs: KeptOutput[];
  readonly progress: JobProgress[];
  readonly previews: JobPreview[];
  readonly boards: NodeBoard[];
}

export interface Stage {
  readonly standIn: RunningSandboxApplication;
  readonly application: Application;
  close(): Promise<void>;
}

export async function openStage(options: Partial<SandboxApplicationOptions> = {}): Promise<Stage> {
  const home = await mkdtemp(join(tmpdir(), "atelier-stand-in-"));
  const standIn = await startSandboxApplication({ home, ...options });
  const application = openApplication({ url: standIn.url, clock: systemClock, log: silentLog });
  return {
    standIn,
    application,
    async close() {
      await application.close();
      await standIn.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export function jobOf(
  graph: object,
  options: {
    readonly jobId?: ClaimedJob["lease"]["jobId"];
    readonly attempt?: number;
    // Claimed before by a process that is gone.
    readonly isResumed?: boolean;
  } = {},
): ClaimedJob {
  return {
    isNew: (options.attempt ?? 1) === 1 && options.isResumed !== true,
    lease: { jobId: options.jobId ?? newId<"job">(), attempt: options.attempt ?? 1, workerId: newId<"worker">() },
    workspaceId: newId<"workspace">(),
    workflow: Buffer.from(JSON.stringify(graph)),
    nodesTotal: Object.keys(graph).length,
    extraData: null,
    apiKeyId: null,
    expiresAt: new Date(systemClock.now().getTime() + 3_600_000),
  };
}

export function listener(): { readonly reported: Reported; readonly report: RunReport } {
  const reported: Reported = { outputs: [], progress: [], previews: [], boards: [] };
  const report: RunReport = {
    progress: (progress) => void reported.progress.push(progress),
    preview: (preview) => void reported.previews.push(preview),
    nodes: (board) => void reported.boards.push(board),
    async output({ open, nodeId, index, name, contentType, folder = "output" }) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await open()) chunks.push(chunk);
      reported.outputs.push({ nodeId, index, name, contentType, folder, bytes: Buffer.concat(chunks) });
    },
    releasePart: async () => undefined,
    insist: (work) => work(),
  };
  return { reported, report };
}

export interface Run extends Reported {
  readonly ending: Promise<JobEnding>;
  stop(reason?: string): void;
}

export function start(application: Application, job: ClaimedJob, deps: Partial<ApplicationRunnerDeps> = {}): Run {
  const { reported, report } = listener();
  const stop = new AbortController();
  const runner = applicationRunner({
    application,
    openFile: async () => null,
    clock: systemClock,
    log: silentLog,
    ...deps,
  });
  const ending = runner.run(job, report, stop.signal);
  return { ...reported, ending, stop: (reason = "canceled") => stop.abort(reason) };
}

export const run = (application: Application, graph: object, deps: Partial<ApplicationRunnerDeps> = {}): Run =>
  start(application, jobOf(graph), deps);

// Waits for a condition, never for a fixed time.
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let turn = 0; turn < 6_000; turn++) {
    if (await condition()) return;
    await systemClock.sleep(10);
  }
  throw new Error(`It never came to this: ${what}`);
}

const image = { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 255 } };

export const picture = (prefix = "picture"): object => ({
  "1": image,
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: prefix } },
});

let colour = 0;

// Each has a different picture, so that nothing is reused from an earlier run.
export const slow = (seconds: number, prefix = "slow"): object => ({
  "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: ++colour } },
  "2": { class_type: "TestSleep", inputs: { value: ["1", 0], seconds } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: prefix } },
});
