// Runs a job's graph in an application. If the application already has a prompt of this job, we continue with it instead
// of submitting twice. A prompt lost before it began is submitted again; one lost in the middle fails the attempt so that
// another can be made. We never touch prompts of other jobs.
import type { Clock } from "../../foundation/clock.ts";
import { canonicalJson, parseJson } from "../../foundation/json/json-bytes.ts";
import type { Log } from "../../foundation/log.ts";
import { type GraphRunner, LeaseLost, type RunReport } from "../graph-runs/index.ts";
import type { ClaimedJob, JobEnding } from "../jobs/index.ts";
import { type Accepted, type Application, ApplicationProblem } from "./application.ts";
import type { ApplicationClasses } from "./classes/application-classes.ts";
import { leftOutOutputs } from "./classes/left-out-outputs.ts";
import { modelNames } from "./classes/model-names.ts";
import { readObjectInfo } from "./classes/read-object-info.ts";
import { parsed } from "./line/application-http.ts";
import { isRecord, type JsonRecord } from "./line/json-record.ts";
import { orStopped } from "./line/or-stopped.ts";
import { OutputCollector, OutputMissing, TooManyOutputs } from "./prompts/collect-outputs.ts";
import type { ShrinkPicture } from "./prompts/fit-previews.ts";
import { type FollowTiming, followTiming, PromptFollower } from "./prompts/follow-prompt.ts";
import { promptIdOf } from "./prompts/prompt-id.ts";
import { type Found, findPrompt } from "./prompts/prompt-state.ts";
import { failed, partEnding, problemEnding, readEnding, refusedEnding } from "./prompts/read-ending.ts";
import type { HistoryEntry } from "./prompts/read-prompts.ts";
import { RunReporter } from "./prompts/run-reporter.ts";
import { InputMissing, type StageDeps, stageInputs } from "./prompts/stage-inputs.ts";
import { stopPrompt } from "./prompts/stop-prompt.ts";

export interface ApplicationRunnerDeps extends Omit<StageDeps, "application"> {
  readonly application: Application;
  readonly clock: Clock;
  readonly log: Log;
  readonly timing?: Partial<FollowTiming>;
  // For previews too large to keep. If absent, those are not shown.
  readonly shrinkPicture?: ShrinkPicture;
}

// Per attempt: how often we resubmit a prompt that never began, and one that someone else interrupted.
const resubmissionsMax = 3;
const interruptionsMax = 1;
const keysMax = 250_000;

export function applicationRunner(deps: ApplicationRunnerDeps): GraphRunner {
  const timing: FollowTiming = { ...followTiming, ...deps.timing };
  return {
    async run(job, report, signal) {
      const { value, exactIntegers } = parseJson(job.workflow, { keysMax });
      if (!isRecord(value)) return failed("invalid_workflow", "The workflow is not a graph.", false);
      const seconds = job.bounds?.secondsMax ?? null;
      const bounded = seconds === null ? timing : { ...timing, runMsMax: seconds * 1000 };
      const run = new ApplicationRun(deps, bounded, { job, report, signal, graph: value, exactIntegers });
      return run.toTheEnd();
    },
  };
}

interface RunGiven {
  readonly job: ClaimedJob;
  readonly report: RunReport;
  readonly signal: AbortSignal;
  readonly graph: JsonRecord;
  readonly exactIntegers: ReadonlyMap<string, string>;
}

class ApplicationRun {
  readonly #deps: ApplicationRunnerDeps;
  readonly #timing: FollowTiming;
  readonly #given: RunGiven;
  readonly #reporter: RunReporter;
  readonly #collector: OutputCollector;
  // The application may have a prompt of this job, from an earlier attempt or a submission whose answer never came.
  #mayBeThere: boolean;
  #awaySinceMs: number | null = null;
  #resubmissions = 0;
  #interruptions = 0;

  constructor(deps: ApplicationRunnerDeps, timing: FollowTiming, given: RunGiven) {
    const { application, clock } = deps;
    this.#deps = deps;
    this.#timing = timing;
    this.#given = given;
    this.#mayBeThere = !given.job.isNew;
    this.#collector = new OutputCollector({
      application,
      output: (output) => given.report.output(output),
      signal: given.signal,
    });
    const classes = application.classes()?.described ?? null;
    const isOutput = classes && ((name: string) => classes.get(name)?.isOutputNode === true);
    const { graph, report } = given;
    this.#reporter = new RunReporter({ graph, isOutput, report, clock, shrink: deps.shrinkPicture ?? null });
  }

  async toTheEnd(): Promise<JobEnding> {
    try {
      for (let failures = 0; ; failures++) {
        if (this.#given.signal.aborted) return await this.#leave();
        const ending = await this.#tryOnce();
        if (ending !== null) {
          await this.#reporter.settle();
          return ending;
        }
        if (failures > 1_000) return failed("application_error", "The application kept failing.", true);
      }
    } finally {
      this.#reporter.close();
    }
  }

  // Null: try again, starting from what the application knows by then.
  async #tryOnce(): Promise<JobEnding | null> {
    try {
      const ending = await this.#runOnce();
      this.#awaySinceMs = null;
      return ending;
    } catch (error) {
      if (this.#given.signal.aborted && !(error instanceof LeaseLost)) return this.#leave();
      if (error instanceof InputMissing) return failed("asset_unavailable", error.message, false, error.nodeId);
      if (error instanceof OutputMissing) return failed("output_unavailable", error.message, false);
      if (error instanceof TooManyOutputs) return failed("too_many_outputs", error.message, false);
      if (!(error instanceof ApplicationProblem)) throw error;
      return this.#afterProblem(error);
    }
  }

  // We were stopped before we knew what the application has of the job. A canceled job must not be left running there.
  async #leave(): Promise<JobEnding> {
    const { application, clock } = this.#deps;
    const { job, signal } = this.#given;
    const enough = new AbortController();
    if (signal.reason === "canceled") {
      const stopping = stopPrompt({ application, clock }, promptIdOf(job.lease.jobId, 0), signal.reason);
      await Promise.race([stopping, clock.sleep(leaveMsMax, enough.signal)]);
      enough.abort();
    }
    return { kind: "canceled" };
  }

  async #afterProblem(problem: ApplicationProblem): Promise<JobEnding | null> {
    const { clock, application, log } = this.#deps;
    if (problem.code === "too_large" || problem.code === "closed") return problemEnding(problem);
    const nowMs = clock.monotonicMs();
    this.#awaySinceMs ??= nowMs;
    const leftMs = this.#awaySinceMs + this.#timing.awayMsMax - nowMs;
    log.debug({ err: problem, jobId: this.#given.job.lease.jobId }, "the application could not be queried");
    if (leftMs <= 0) return problemEnding(problem);
    await clock.sleep(Math.min(leftMs, pauseMs), this.#given.signal);
    await application.whenUp(leftMs, this.#given.signal);
    return null;
  }

  async #runOnce(): Promise<JobEnding | null> {
    const { jobId } = this.#given.job.lease;
    const found = await orStopped(this.#find(jobId), this.#given.signal);
    if (found.kind === "attach") {
      const refusal = await this.#refusePart(found);
      if (refusal !== null) return refusal;
      if (found.state.kind === "ended") return this.#conclude(found.state.entry);
    }
    const isAttached = found.kind === "attach";
    const follower = new PromptFollower(
      { ...this.#deps, timing: this.#timing, signal: this.#given.signal },
      !isAttached,
    );
    const ownId = promptIdOf(jobId, found.counter);
    let unwatch = this.#watch(ownId, follower);
    try {
      const promptId = isAttached ? ownId : await this.#submit(ownId);
      if (typeof promptId !== "string") return promptId;
      if (promptId !== ownId) {
        unwatch();
        unwatch = this.#watch(promptId, follower);
      }
      if (isAttached && found.state.kind === "running") follower.onRunning();
      this.#awaySinceMs = null;
      return await this.#follow(promptId, follower);
    } finally {
      unwatch();
    }
  }

  async #find(jobId: string): Promise<Found> {
    const { application } = this.#deps;
    if (!this.#mayBeThere) {
      this.#mayBeThere = true;
      return { kind: "submit", counter: 0 };
    }
    return findPrompt(jobId, await application.queue(), (id) => application.history(id));
  }

  // Spec, v2: a graph runs whole or not at all. Null if the prompt is complete.
  async #refusePart({ counter, state, ranFor }: Extract<Found, { kind: "attach" }>): Promise<JobEnding | null> {
    const { application, clock } = this.#deps;
    if (ranFor === null || (state.kind === "ended" && state.entry.ending === "interrupted")) return null;
    const classes = application.classes() ?? (await askClasses(application));
    const leftOut = classes === null ? [] : leftOutOutputs(this.#given.graph, classes.described, ranFor);
    if (leftOut.length === 0) return null;
    const promptId = promptIdOf(this.#given.job.lease.jobId, counter);
    if (state.kind !== "ended") await stopPrompt({ application, clock }, promptId, "refused");
    return partEnding(leftOut);
  }

  #watch(promptId: string, follower: PromptFollower): () => void {
    return this.#deps.application.watch(promptId, {
      onEvent: (event) => {
        this.#reporter.onEvent(event);
        if (event.kind === "executed") {
          const nodeId = this.#reporter.submittedNode(event.nodeId, event.displayNodeId);
          this.#collector.take(nodeId, event.output, false);
        }
        follower.onEvent(event);
      },
      onConnection: () => follower.onConnection(),
    });
  }

  // The id under which it was accepted, or the ending if the graph was refused.
  async #submit(promptId: string): Promise<string | JobEnding> {
    const { application, clock } = this.#deps;
    const { job, graph, exactIntegers, signal } = this.#given;
    const { openFile } = this.#deps;
    const stageDeps: StageDeps = {
      ...this.#deps,
      openFile: (workspaceId, reference) => this.#given.report.insist(() => openFile(workspaceId, reference)),
    };
    const staged = await stageInputs(stageDeps, job.workspaceId, graph, signal);
    const text = exactIntegers.size === 0 ? JSON.stringify(staged) : canonicalJson(staged, exactIntegers);
    const credential = job.extraData?.["api_key_service"] ?? null;
    application.noteModels(modelNames(staged));
    await this.#collector.again();
    const answer = await this.#answered(
      application.submit({ promptId, graph: text, credential, pngInfo: job.pngInfo ?? null }),
    );
    if (answer.kind === "refused") return refusedEnding(answer);
    if (answer.refused.size === 0) return answer.promptId;
    // Spec, v2: a graph runs whole or not at all. The application accepted only the part it could run.
    await stopPrompt({ application, clock }, answer.promptId, "refused");
    return refusedEnding(answer);
  }

  // A submission is not aborted: the application might accept it and run it for nothing. If we are stopped meanwhile, we
  // wait briefly for the answer. If it comes even later and the job was canceled, the prompt is stopped when it comes.
  async #answered(submitting: Promise<Accepted>): Promise<Accepted> {
    const { application, clock } = this.#deps;
    const { signal } = this.#given;
    const enough = new AbortController();
    const stopped = orStopped(new Promise<never>(() => {}), signal).catch(() => clock.sleep(leaveMsMax, enough.signal));
    try {
      const answer = await Promise.race([submitting, stopped]);
      if (answer !== undefined) return answer;
    } finally {
      enough.abort();
    }
    submitting
      .then((late) => {
        if (late.kind === "accepted" && signal.reason === "canceled")
          return stopPrompt({ application, clock }, late.promptId, "canceled");
      })
      .catch(() => undefined);
    throw new ApplicationProblem("closed", "The run was stopped.");
  }

  async #follow(promptId: string, follower: PromptFollower): Promise<JobEnding | null> {
    const followed = await follower.follow(promptId);
    const { application, clock } = this.#deps;
    switch (followed.kind) {
      case "ended":
        return this.#conclude(followed.entry);
      case "lost":
        this.#resubmissions += 1;
        if (!follower.hasStarted && this.#resubmissions <= resubmissionsMax) return null;
        return failed("application_restarted", "The application restarted while this job was running.", true);
      case "away":
        return problemEnding(followed.problem);
      case "timed_out":
        await stopPrompt({ application, clock }, promptId, "timed_out");
        return failed("timed_out", "The job ran longer than allowed.", false);
      case "stopped":
        await stopPrompt({ application, clock }, promptId, this.#given.signal.reason);
        return { kind: "canceled" };
    }
  }

  async #conclude(entry: HistoryEntry): Promise<JobEnding | null> {
    await this.#collector.settle();
    if (entry.ending === "interrupted") {
      this.#interruptions += 1;
      if (this.#interruptions <= interruptionsMax) return null;
      return failed("interrupted", "The job was interrupted in the application.", false);
    }
    if (entry.ending === "succeeded") {
      for (const [id, output] of entry.outputs) {
        this.#collector.take(this.#reporter.submittedNode(id, entry.displayNodes.get(id) ?? null), output, true);
      }
      await this.#collector.finish();
      this.#reporter.finish();
    }
    return readEnding(entry, (id) => this.#reporter.submittedNode(id));
  }
}

// Null if its class descriptions make no sense; the rest of what it says is still believed.
async function askClasses(application: Application): Promise<ApplicationClasses | null> {
  try {
    return readObjectInfo(parsed(await application.objectInfo()));
  } catch (error) {
    if (error instanceof ApplicationProblem && error.code === "garbage") return null;
    throw error;
  }
}

const pauseMs = 250;
const leaveMsMax = 2_000;
