// Runs a work as a job and answers with what it made. The job's id is the call's id, so a process that takes a lost call over
// finds the job by it.
import type { Clock } from "../../../foundation/clock.ts";
import { asFault, Fault } from "../../../foundation/fault.ts";
import { type KeyId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import { graphText } from "../../graphs/index.ts";
import { type Job, type JobId, type Jobs, type PoolId, terminalStates, waitForJob } from "../../jobs/index.ts";
import type { AskedRun, FoundRun, ModelRunner, Outcome, RunnerCall, RunnerQuote } from "../../providers/index.ts";
import { type FillWorkDeps, fillWork } from "./fill-work.ts";
import type { PreparedWork } from "./prepared-work.ts";
import { explainRefusal } from "./refused-run.ts";
import { type AnswerDeps, echoInputs, type WorkRunNote, workAnswer } from "./work-answer.ts";

export interface GraphSubmission {
  readonly caller: { readonly workspaceId: WorkspaceId; readonly keyId: KeyId | null };
  // The body of a submission.
  readonly bytes: Buffer;
  readonly labels?: Labels;
}

export interface RunWorkDeps extends FillWorkDeps, AnswerDeps {
  readonly assets: FillWorkDeps["assets"] & AnswerDeps["assets"];
  readonly jobs: Pick<Jobs, "get" | "watch" | "cancel" | "charges">;
  readonly poolId: PoolId;
  readonly clock: Pick<Clock, "sleep">;
  // Submits as POST /api/v2/jobs does. Throws the same faults.
  submit(submission: GraphSubmission & { readonly jobId: JobId }): Promise<Job>;
  // What that submission would cost.
  quote(submission: GraphSubmission): Promise<RunnerQuote>;
}

export function workRunner(deps: RunWorkDeps, work: PreparedWork): ModelRunner {
  return {
    run: (call) => run(deps, work, call),
    ask: (asked) => ask(deps, asked),
    async quote({ workspaceId, apiKeyId, body }) {
      const filled = await fillWork(deps, work, { workspaceId, body, isQuote: true });
      const bytes = submissionBytes(work.id, graphText(filled.value, filled.exactIntegers));
      return refusedAs(work, () => deps.quote({ caller: { workspaceId, keyId: apiKeyId }, bytes }));
    },
  };
}

// For calls that lost their process: everything it needs was noted.
export function followingRunner(deps: RunWorkDeps): ModelRunner {
  const gone = () => new Fault("model_not_found", "This work is only followed.");
  return {
    run: async () => ({ kind: "not_run", fault: gone(), jobId: null, paid: 0n }),
    ask: (asked) => ask(deps, asked),
    quote: async () => {
      throw gone();
    },
  };
}

async function run(deps: RunWorkDeps, work: PreparedWork, call: RunnerCall): Promise<Outcome> {
  const { workspaceId, apiKeyId, labels, body, reference, signal } = call;
  const jobId = trustedId<"job">(reference);
  let note: WorkRunNote;
  try {
    const filled = await fillWork(deps, work, { workspaceId, body });
    note = {
      work: work.id,
      outputs: work.form.outputs.map(({ name, node }) => [name, node]),
      as: filled.outputsAs,
      inputs: echoInputs(filled.inputs),
    };
    await call.note({ run: note });
    const bytes = submissionBytes(work.id, graphText(filled.value, filled.exactIntegers));
    const caller = { workspaceId, keyId: apiKeyId };
    await refusedAs(work, () => deps.submit({ caller, bytes, jobId, ...(labels ? { labels } : {}) }));
  } catch (thrown) {
    // Anything else leaves open whether the job exists, and is found out by asking.
    if (!(thrown instanceof Fault) || isUndecided(thrown)) throw thrown;
    return { kind: "not_run", fault: thrown, jobId: null, paid: 0n };
  }
  await call.begun();
  const job = await waitForJob(deps, { workspaceId, poolId: deps.poolId, jobId }, signal);
  return outcomeOf(deps, job, note);
}

const isUndecided = ({ code }: Fault) => code === "internal_error";

function submissionBytes(id: string, graph: Buffer): Buffer {
  const head = Buffer.from(`{"metadata":${JSON.stringify({ work: id })},"workflow":`);
  return Buffer.concat([head, graph, Buffer.from("}")]);
}

async function refusedAs<Result>(work: PreparedWork, submit: () => Promise<Result>): Promise<Result> {
  try {
    return await submit();
  } catch (thrown) {
    throw thrown instanceof Fault ? explainRefusal(thrown, work) : thrown;
  }
}

async function ask(deps: RunWorkDeps, { reference, workspaceId, handle }: AskedRun): Promise<FoundRun> {
  const jobId = trustedId<"job">(reference);
  const note = isRecord(handle) ? handle["run"] : undefined;
  // Noted before anything is submitted, so without a note there is no job.
  if (!isNote(note)) return { kind: "not_found" };
  try {
    const job = await deps.jobs.get({ workspaceId, poolId: deps.poolId, jobId });
    if (!terminalStates.has(job.state)) return { kind: "running" };
    return { kind: "ended", outcome: await outcomeOf(deps, job, note) };
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return { kind: "not_found" };
    throw thrown;
  }
}

function isNote(value: unknown): value is WorkRunNote {
  return isRecord(value) && Array.isArray(value["outputs"]) && typeof value["inputs"] === "string";
}

async function outcomeOf(deps: RunWorkDeps, job: Job, note: WorkRunNote): Promise<Outcome> {
  const { id: jobId, workspaceId } = job;
  const [charge] = await deps.jobs.charges.totals({ workspaceId, jobIds: [jobId] });
  const paid = charge?.credits ?? 0n;
  if (job.state !== "succeeded") return { kind: "not_run", fault: faultOf(job), jobId, paid };
  try {
    const body = await workAnswer(deps, job, note);
    return { kind: "ran", answer: { status: 200, contentType: "application/json", body }, jobId, paid };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { kind: "not_run", fault: asFault(thrown), jobId, paid };
  }
}

function faultOf({ state, error }: Job): Fault {
  if (state === "canceled" || state === "canceling")
    return new Fault("cancelled", "The job of this call was cancelled. What it had used until then was charged.");
  if (state === "expired") return new Fault("provider_timeout", "The job of this call ran out of time.");
  const where = error?.nodeId ? ` (node ${error.nodeId}${error.classType ? `, ${error.classType}` : ""})` : "";
  const message = error?.message ?? "The job failed.";
  if (message.includes("(content_policy_violation)"))
    return new Fault("content_policy_violation", `${message}${where}`);
  return new Fault("provider_error", `${message}${where}`);
}
