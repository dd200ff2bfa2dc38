// Finished prompts, in the application's history and in the public cloud's list of jobs.
import { type Job, type JobState, terminalStates } from "../../capabilities/jobs/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type BytesAnswer, type Route, route } from "../../foundation/http/area.ts";
import { QueryReader } from "../../foundation/http/page-query.ts";
import { fresh, jsonText } from "./answers.ts";
import type { ApplicationCaller } from "./application-caller.ts";
import { applicationOperations, cloudOperations } from "./application-operations.ts";
import { idsIn, readJsonBody } from "./prompt-bodies.ts";
import { executionError, fileOf, isFile, numberOf, promptIdOf, timeOf, wordOf } from "./prompt-picture.ts";
import { endedStates, openStates, type Prompts, Room } from "./prompts.ts";

type HistoryRoute = Route<ApplicationCaller>;

// The editor asks for 200.
const recordsMax = 200;
const recordsDefault = 64;
const jobsDefault = 50;
const offsetMax = 1_000;

export function listHistoryRoute(prompts: Prompts): HistoryRoute {
  return route(applicationOperations.listHistory, async ({ caller, query }) => {
    const page = readPage(query, "max_items", recordsDefault);
    const ended = await prompts.newest(caller, endedStates, page);
    return jsonText(await prompts.recordsOf(ended.toReversed()));
  });
}

// Empty until it has ended, and for unknown ids, as in the application.
export function getHistoryRoute(prompts: Prompts): HistoryRoute {
  return route(applicationOperations.getHistory, ({ caller, params }) => history(prompts, caller, params["prompt_id"]));
}

// Irreversible, as in the application. The jobs themselves stay until they expire.
export function changeHistoryRoute(prompts: Prompts): HistoryRoute {
  return route(applicationOperations.changeHistory, async (it) => {
    const asked = await readJsonBody(it);
    await prompts.clear(it.caller, asked["clear"] === true ? null : idsIn(asked["delete"]));
    return fresh({});
  });
}

export function listHistoryOfCloudRoute(prompts: Prompts): HistoryRoute {
  return route(cloudOperations.listHistoryOfCloud, async ({ caller, query }) => {
    const page = readPage(query, "max_items", recordsDefault);
    const ended = await prompts.newest(caller, endedStates, page);
    const records = [];
    const room = new Room();
    for (const job of ended) records.push(await cloudRecord(prompts, job, room));
    return jsonText(`{"history":[${records.join(",")}]}`);
  });
}

export function getHistoryOfCloudRoute(prompts: Prompts): HistoryRoute {
  return route(cloudOperations.getHistoryOfCloud, ({ caller, params }) =>
    history(prompts, caller, params["prompt_id"]),
  );
}

// With the filters that the editor's queue and history send.
export function listPromptJobsRoute(prompts: Prompts): HistoryRoute {
  return route(cloudOperations.listPromptJobs, async ({ caller, query }) => {
    const { offset, count } = readPage(query, "limit", jobsDefault);
    const states = readStates(query.get("status"));
    const isAscending = readOrder(query);
    const all = await prompts.newest(caller, states, isAscending ? everything : { offset, count: count + 1 });
    const found = isAscending ? all.toReversed().slice(offset, offset + count + 1) : all;
    const jobs = found.slice(0, count).map(briefly);
    const hasMore = found.length > count;
    const total = offset + found.length;
    return fresh({ jobs, pagination: { offset, limit: count, total, has_more: hasMore } });
  });
}

const everything = { offset: 0, count: offsetMax };
const jobStates: readonly JobState[] = [...openStates, ...endedStates];
const jobWords = [...new Set(jobStates.map((state) => wordOf({ state })))];

// Null for all.
function readStates(given: string | null): readonly JobState[] | null {
  const words = (given ?? "").split(",").flatMap((word) => word.trim().toLowerCase() || []);
  const unknown = words.filter((word) => !jobWords.includes(word));
  if (unknown.length > 0)
    throw new Fault(
      "invalid_request",
      `Invalid status value(s): ${unknown.join(", ").slice(0, 100)}. Valid values: ${jobWords.join(", ")}`,
    );
  return words.length === 0 ? null : jobStates.filter((state) => words.includes(wordOf({ state })));
}

// Whether the oldest comes first.
function readOrder(query: URLSearchParams): boolean {
  const order = query.get("sort_order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw new Fault("invalid_request", "sort_order must be 'asc' or 'desc'");
  return order === "asc";
}

export function getPromptJobRoute(prompts: Prompts): HistoryRoute {
  return route(cloudOperations.getPromptJob, async ({ caller, params }) => {
    const job = await found(prompts, caller, params["id"]);
    const outputs = await prompts.outputsOf(job, job.outputs);
    const body = JSON.stringify({ ...briefly(job), outputs });
    return jsonText(`${body.slice(0, -1)},"workflow":${await prompts.workflowOf(job)}}`);
  });
}

export function getPromptJobStatusRoute(prompts: Prompts): HistoryRoute {
  return route(cloudOperations.getPromptJobStatus, async ({ caller, params }) => {
    const job = await found(prompts, caller, params["id"]);
    const times = { created_at: job.createdAt.toISOString(), updated_at: updatedAt(job).toISOString() };
    return fresh({ id: promptIdOf(job), status: wordOf(job), ...times, error_message: job.error?.message ?? null });
  });
}

async function history(prompts: Prompts, caller: ApplicationCaller, promptId = ""): Promise<BytesAnswer> {
  const job = await prompts.find(caller.workspaceId, promptId);
  return jsonText(job === null || !terminalStates.has(job.state) ? "{}" : await prompts.recordsOf([job]));
}

async function found(prompts: Prompts, caller: ApplicationCaller, promptId = ""): Promise<Job> {
  const job = await prompts.find(caller.workspaceId, promptId);
  if (job === null) throw new Fault("not_found", "There is no such prompt.");
  return job;
}

async function cloudRecord(prompts: Prompts, job: Job, room: Room): Promise<string> {
  const record = await prompts.recordOf(job, room);
  const about = JSON.stringify({ prompt_id: promptIdOf(job), create_time: timeOf(job.createdAt) });
  return `${about.slice(0, -1)},${record.slice(1)}`;
}

function briefly(job: Job) {
  const files = job.outputs.filter(isFile);
  // Prefer a saved result to a preview.
  const first = files.find(({ folder }) => folder === "output") ?? files[0];
  const preview = first === undefined ? null : { ...fileOf(job.id, first), nodeId: first.nodeId, mediaType: "images" };
  const hasFailed = job.state === "failed" || job.state === "expired";
  return {
    id: promptIdOf(job),
    status: wordOf(job),
    create_time: timeOf(job.createdAt),
    update_time: updatedAt(job).getTime(),
    execution_start_time: job.startedAt === null ? null : timeOf(job.startedAt),
    execution_end_time: job.completedAt === null ? null : timeOf(job.completedAt),
    outputs_count: files.length,
    preview_output: preview,
    // The editor sorts by it.
    priority: numberOf(job),
    execution_error: hasFailed
      ? { node_id: job.error?.nodeId ?? "", node_type: job.error?.classType ?? "", ...executionError(job) }
      : null,
  };
}

const updatedAt = ({ completedAt, startedAt, createdAt }: Job): Date => completedAt ?? startedAt ?? createdAt;

function readPage(query: URLSearchParams, name: string, byDefault: number): { offset: number; count: number } {
  const reader = new QueryReader(query);
  const whole = (text: string) => (/^-?\d{1,6}$/.test(text) ? Number(text) : null);
  const count = reader.read(name, whole, "a whole number") ?? byDefault;
  const offset = reader.read("offset", whole, "a whole number") ?? 0;
  reader.requireNoProblem();
  return {
    offset: Math.min(offsetMax, Math.max(0, offset)),
    count: count <= 0 ? byDefault : Math.min(recordsMax, count),
  };
}
