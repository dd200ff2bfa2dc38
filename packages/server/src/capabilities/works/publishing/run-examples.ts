// Runs the examples of a version, all at once. If one fails, the others are canceled and nothing is published.
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { AssetId } from "../../assets/index.ts";
import type { PreparedVersion } from "./prepare-version.ts";
import type { PublishedExample } from "./published-work.ts";
import type { ExampleRun, PublishingPorts, WorkCaller } from "./publishing-ports.ts";

export interface RanExamples {
  readonly examples: readonly PublishedExample[];
  readonly assetIds: readonly AssetId[];
  // The first picture.
  readonly cover: AssetId | null;
}

export interface RunExamplesDeps {
  readonly ports: Pick<PublishingPorts, "runExample">;
  readonly clock: Pick<Clock, "after">;
}

export const examplesSecondsMax = 300;

export async function runExamples(
  { ports, clock }: RunExamplesDeps,
  caller: WorkCaller,
  { examples, workflowId }: Pick<PreparedVersion, "examples" | "workflowId">,
  signal: AbortSignal,
): Promise<RanExamples> {
  const failing = new AbortController();
  const both = AbortSignal.any([signal, failing.signal]);
  const inTime = clock.after(examplesSecondsMax * 1_000, () => failing.abort(tooSlow()));
  try {
    const runs = await Promise.all(
      examples.map(async ({ graph }, at) => {
        try {
          const run = await ports.runExample(caller, { graph, workflowId }, both);
          if (run.problem !== null) throw failed(run, at);
          return run;
        } catch (thrown) {
          failing.abort(thrown);
          throw thrown;
        }
      }),
    );
    return gather(examples, runs);
  } catch (thrown) {
    // The one that failed first says why; the others only say that they were stopped.
    throw failing.signal.aborted && !signal.aborted ? failing.signal.reason : thrown;
  } finally {
    inTime();
  }
}

function gather(examples: PreparedVersion["examples"], runs: readonly ExampleRun[]): RanExamples {
  const assets = runs.flatMap((run) => run.assets);
  return {
    examples: examples.flatMap(({ title, inputs }, at) => {
      const run = runs[at];
      return run === undefined ? [] : [{ title, inputs, job_id: run.jobId, assets: run.assets.map(({ id }) => id) }];
    }),
    assetIds: [...new Set(assets.map(({ id }) => id))],
    cover: assets.find(({ isPicture }) => isPicture)?.id ?? null,
  };
}

function failed({ jobId, problem }: ExampleRun, at: number): Fault {
  const message = problem?.message ?? "It did not succeed.";
  return new Fault("validation_failed", `Example ${at + 1} failed, so nothing was published: ${message}`, {
    details: { path: `/examples/${at}`, job_id: jobId, node_id: problem?.nodeId ?? null, message },
  });
}

function tooSlow(): Fault {
  return new Fault(
    "deadline_exceeded",
    `The examples did not end within ${examplesSecondsMax / 60} minutes, so nothing was published.`,
  );
}
