// `atelier jobs`: lists, shows, watches and cancels jobs.
import type { Job } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { requireFolder } from "../files/output-path.ts";
import { take } from "../files/take.ts";
import { given } from "../given.ts";
import { jsonText } from "../json-text.ts";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { counted } from "../terminal/counted.ts";
import { nodeTable } from "../terminal/node-lines.ts";
import { oneByOne } from "../terminal/one-by-one.ts";
import { secondsText, sizeText } from "../terminal/progress-line.ts";
import { followJob } from "./follow-job.ts";
import { chargesOfNodes, creditsOfJobs, durationOf, labelText, marks } from "./job-facts.ts";
import { parsePair } from "./run-names.ts";
import { folderTarget } from "./save-outputs.ts";
import { waitingText } from "./waiting-text.ts";
import { problemOf, watchJob } from "./watch-job.ts";

export const jobsCommand = overHttp({ ls: list, show, watch, retry, cancel });

function wanted({ call }: Asked) {
  const status = call.text("status");
  const label = call.text("label");
  const pairs = call.texts("metadata").map((text) => parsePair("jobs", text));
  if (label !== undefined && pairs.length > 0)
    throw wrongCall("jobs", ["--label matches a job's whole metadata; with other keys use --metadata label=…"]);
  const metadata = pairs.length === 0 ? label : Object.fromEntries(pairs);
  return given({ status, metadata });
}

async function list(asked: Asked): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const limit = call.whole("limit", 1, 100_000) ?? 50;
  const data = await take(atelier.jobs.list({ ...wanted(asked), pageSize: Math.min(limit, 100) }), limit);
  const credits = await creditsOfJobs(atelier, data);
  if (input.isTerminal) return { data, text: forPeople(data, credits) };
  const rows = data.map((job) => [
    job.id,
    job.status,
    `${percentOf(job)}%`,
    String(job.outputs.length),
    labelText(job.metadata),
    new Date(job.created_at),
    durationOf(job)?.toString() ?? null,
    credits.get(job.id) ?? null,
  ]);
  return { data, text: { columns: ["id", "state", "done", "outputs", "label", "created", "ms", "credits"], rows } };
}

const percentOf = ({ status, progress }: Job): number =>
  Math.floor((progress?.value ?? (status === "succeeded" ? 1 : 0)) * 100);

const timeOf = (job: Job): string | null => {
  const ms = durationOf(job);
  return ms === null ? null : secondsText(ms);
};

// Fits into 80 columns.
function forPeople(jobs: readonly Job[], credits: ReadonlyMap<string, string>): CommandResult["text"] {
  const rows = jobs.map((job) => [
    job.id,
    `${marks[job.status] ?? "?"} ${job.status}${job.status === "running" ? ` ${percentOf(job)}%` : ""}`,
    timeOf(job),
    credits.get(job.id) ?? null,
    new Date(job.created_at),
    labelText(job.metadata),
  ]);
  const columns = ["id", "state", "time", "credits", "created", "label"];
  return { columns, rows, empty: "No jobs found. Run a workflow: atelier run <workflow.json>" };
}

async function show({ call, atelier, input }: Asked): Promise<CommandResult> {
  const job = await atelier.jobs.get(call.words[0] ?? "");
  if (call.has("workflow")) {
    const { workflow } = await job.workflow();
    return { data: workflow, text: jsonText(workflow, 2) };
  }
  const { current, creditsUsed } = job;
  const nodes = creditsUsed === "0" || input.json ? new Map() : await chargesOfNodes(atelier, current);
  return { data: current, text: describe(current, { credits: creditsUsed, nodes }).join("\n") };
}

interface Charges {
  readonly credits: string | null;
  readonly nodes: ReadonlyMap<string, string>;
}

function describe(job: Job, charges: Charges): string[] {
  const { progress } = job;
  const facts: [string, string | null | undefined][] = [
    ["job", job.id],
    ["state", `${marks[job.status] ?? ""} ${job.status}`.trim()],
    ["queue", job.queue_position === null ? null : `${job.queue_position} ahead`],
    ["waiting", waitingText(job, new Date())],
    [
      "progress",
      progress &&
        `${Math.floor(progress.value * 100)}%, node ${progress.nodes_done} of ${progress.nodes_total} ${progress.current_node_class ?? ""}`.trimEnd(),
    ],
    ["problem", job.error && problemOf(job)],
    ["label", labelText(job.metadata)],
    ["time", timeOf(job)],
    ["credits", charges.credits],
    ["created", job.created_at],
    ["started", job.started_at],
    ["ended", job.completed_at],
    ["kept until", job.expires_at],
  ];
  return [
    ...facts.flatMap(([name, value]) => (value ? [`${name.padEnd(10)}  ${value}`] : [])),
    ...job.outputs.map((each) => `${"output".padEnd(10)}  ${each.name}   ${sizeText(each.size_bytes)}   ${each.id}`),
    ...nodeTable(progress, charges.nodes),
  ];
}

async function watch({ call, atelier, input }: Asked): Promise<CommandResult> {
  const folder = call.text("output");
  const target = folder === undefined ? null : folderTarget(requireFolder(folder));
  const job = await atelier.jobs.get(call.words[0] ?? "");
  const options = {
    atelier,
    job,
    target,
    jsonLines: call.has("jsonl"),
    isShowing: call.has("show"),
    onInterrupt: "leave" as const,
  };
  return watchJob(options, input);
}

// Submits the same graph under the same label as a new job and follows it like a run. Anything we could not store (another key
// for its models) is missing from the new job.
async function retry(asked: Asked): Promise<CommandResult> {
  const { call, atelier } = asked;
  const target = folderTarget(requireFolder(call.text("output") ?? "."));
  const before = await atelier.jobs.get(call.words[0] ?? "");
  const { workflow } = await before.workflow();
  const { metadata } = before.current;
  const job = await atelier.jobs.submit(Object(workflow), metadata == null ? {} : { metadata });
  return followJob(asked, job, target);
}

async function cancel(asked: Asked): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const filter = wanted(asked);
  const isMany = call.words.length === 0;
  if (isMany && Object.keys(filter).length === 0)
    throw wrongCall("jobs", ["Pass job ids, or select jobs with --status, --label or --metadata."]);
  const ids = isMany ? await openIds(asked) : call.words;
  if (isMany && ids.length > 0) await confirm(`Cancel ${counted(ids.length, "job")}?`, call, input);
  if (ids.length === 0) input.say("No unfinished job matches.");
  const data = await oneByOne(ids, input, (id) => atelier.jobs.cancel(id));
  const rows = data.map((job) => [job.id, job.status]);
  // Canceling a job that has ended is not a server failure, but it is not what the caller wanted either.
  const late = isMany ? [] : data.filter((job) => !["canceled", "canceling"].includes(job.status));
  const problem = `${late.length} of ${data.length} had already ended.`;
  return {
    data,
    text: { columns: ["id", "state"], rows },
    ...(late.length === 0 ? {} : { exitCode: exitCodes.rejected_input, problem, warnings: [problem] }),
  };
}

async function openIds(asked: Asked): Promise<string[]> {
  const jobs = await take(asked.atelier.jobs.list({ ...wanted(asked), pageSize: 100 }), 100_000);
  return jobs.filter(({ status }) => status === "queued" || status === "running").map(({ id }) => id);
}
