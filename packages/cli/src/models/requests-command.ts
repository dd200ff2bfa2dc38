// `atelier requests`: the workspace's model calls, partner tasks and priced nodes, with outcome, time and credits. `tail` prints
// new ones as they come; `show` finds one by the id in its answer. Queued model calls are included (queued-requests.ts).
import { type AccountRequest, AtelierError, parseJson, type UsageRow } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { take } from "../files/take.ts";
import { jsonText } from "../json-text.ts";
import { wrongCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { type Asked, connection, overHttp, readAdminToken, readAnswer, walkPages } from "../server/over-http.ts";
import { onLeave } from "../terminal/on-leave.ts";
import { cancelQueued, describeQueued, findQueued, getQueued, listQueued } from "./queued-requests.ts";
import { describeBodies, fetchBodies } from "./request-bodies.ts";

export const requestsCommand = overHttp({
  ls: (asked) => (asked.call.has("queued") ? listQueued(asked) : list(asked)),
  show,
  get: getQueued,
  cancel: cancelQueued,
  tail,
});

type Query = Readonly<Record<string, string | undefined>>;

function readFilter({ call }: Asked): Query {
  const model = call.text("model");
  const subject = call.text("subject") ?? (model === undefined ? undefined : `model:${model}`);
  return { subject, outcome: call.text("outcome") };
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

// 90s, 15m, 24h, 7d
function readSince({ call }: Asked, absent: string): { readonly text: string; readonly from: string } {
  const text = call.text("since") ?? absent;
  const [, amount = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = unitMs[unit];
  if (ms === undefined)
    throw wrongCall("requests", [`--since must be a duration such as 90s, 15m, 24h or 7d, not "${text}".`]);
  return { text, from: new Date(Date.now() - Number(amount) * ms).toISOString() };
}

const rows = ({ atelier }: Asked, query: Query, pageSize: number) =>
  walkPages<UsageRow>(atelier, "/account/usage", { ...query, limit: pageSize });

async function list(asked: Asked): Promise<CommandResult> {
  const { call, input } = asked;
  const limit = call.whole("limit", 1, 100_000) ?? 20;
  const since = call.text("since") === undefined ? {} : { from: readSince(asked, "").from };
  const data = await take(rows(asked, { ...readFilter(asked), ...since }, Math.min(limit, 100)), limit);
  const columns = ["request", "what", "outcome", "ms", "credits", "at"];
  return { data, text: { columns, rows: data.map((row) => cellsOf(row, input.isTerminal)) } };
}

function cellsOf(row: UsageRow, isTerminal: boolean): (string | Date | null)[] {
  const what = isTerminal ? row.subject.replace(/^model:/, "") : row.subject;
  const outcome = isTerminal ? `${isGood(row) ? "✓" : "✕"} ${row.outcome}` : row.outcome;
  return [row.request_id, what, outcome, String(row.total_ms), row.credits, new Date(row.at)];
}

const isGood = ({ outcome }: UsageRow): boolean => outcome === "succeeded" || outcome === "replayed";

// Finds a request by the id in its answer, of its call or of the queued request. An older server has no operation for this: with
// --since we read its rows, newest first, until we find it.
async function show(asked: Asked): Promise<CommandResult> {
  const [id = ""] = asked.call.words;
  const [whole, bodies] = await Promise.all([fetchRequest(asked, id), fetchBodies(asked, id)]);
  const more = bodies === null ? {} : { bodies };
  const textOf = (lines: readonly string[]) => [...lines, ...describeBodies(bodies)].join("\n");
  const row = whole ? ownRow(whole) : await rowSince(asked, id);
  if (row !== null) {
    const data = { ...row, ...moreFacts(whole), ...(await fetchSetting(asked, row)) };
    return { data: { ...data, ...more }, text: textOf(describe(data)) };
  }
  const queued = whole?.queued ?? (await findQueued(asked, id));
  if (queued !== null) return { data: { ...queued, ...more }, text: textOf(describeQueued(queued)) };
  if (whole?.error_answer) return { data: { ...whole, ...more }, text: textOf(factLines(failedFacts(whole))) };
  if (whole) return { data: whole, text: `${whole.subject}   running since ${whole.at}` };
  throw new ClientProblem("not_there", "not_there", `This workspace has no request ${id}.`, {
    hint: "calls to models, partners and priced nodes are kept for 400 days, other failed requests for 30 (in a flood, only some of them)",
  });
}

async function fetchRequest({ atelier }: Asked, id: string): Promise<AccountRequest | null> {
  try {
    return await readAnswer<AccountRequest>(atelier.request(`/account/requests/${encodeURIComponent(id)}`));
  } catch (error) {
    if (error instanceof AtelierError && error.status === 404) return null;
    throw error;
  }
}

function ownRow({ request_id, rows: all }: AccountRequest): UsageRow | null {
  return all.find((row) => row.request_id === request_id) ?? all.find((row) => !row.replayed) ?? null;
}

type More = Partial<
  Pick<AccountRequest, "key_name" | "job_id" | "node_id" | "replays" | "call" | "error_answer" | "attempts">
>;

function moreFacts(whole: AccountRequest | null): More {
  if (whole === null) return {};
  const { key_name, job_id, node_id, replays, call, error_answer, attempts } = whole;
  return { key_name, job_id, node_id, replays, call, error_answer, attempts };
}

async function rowSince(asked: Asked, id: string): Promise<UsageRow | null> {
  if (asked.call.text("since") === undefined) return null;
  const query = { ...readFilter(asked), from: readSince(asked, "24h").from };
  for await (const row of exported(asked, query)) if (row.request_id === id || row.call_id === id) return row;
  return null;
}

interface RefusedCredentials {
  readonly data: readonly { readonly refused_by: string; readonly setting: string }[];
}

// Only operators may know which variable it is, so we ask with the operator's token, and only if the person wanted that: we do
// not send a token from the environment to any server a row happened to come from.
async function fetchSetting({ call, input, baseUrl }: Asked, { refused_by }: UsageRow): Promise<{ setting?: string }> {
  if (typeof refused_by !== "string" || !(call.has("operator") || call.text("admin-token") !== undefined)) return {};
  const { atelier, problemOf } = connection({ baseUrl, key: readAdminToken(call, input.env), isAdmin: true });
  try {
    const { data }: RefusedCredentials = await readAnswer(atelier.request("/admin/refused-credentials"));
    const setting = data.find((refused) => refused.refused_by === refused_by)?.setting;
    return setting === undefined ? {} : { setting };
  } catch (error) {
    throw problemOf(error);
  }
}

async function* exported({ atelier }: Asked, query: Query): AsyncGenerator<UsageRow> {
  const answer = await atelier.request("/account/usage/export", { query: { ...query, format: "jsonl" } });
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of answer.body ?? []) {
    const lines = (text + decoder.decode(piece, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield parseRow(line);
  }
}

const parseRow = (line: string): UsageRow => Object(parseJson(line));

// A server older than this command may lack some members.
const quoted = (words: string | null | undefined): string => (typeof words === "string" ? `, "${words}"` : "");

function describe(row: UsageRow & More & { readonly setting?: string }): string[] {
  const isRefused = typeof row.refused_by === "string";
  const facts: Facts = [
    ["request", row.request_id],
    ["call", row.call_id],
    ["what", row.subject],
    ["outcome", `${isGood(row) ? "✓" : "✕"} ${row.outcome}${row.status === null ? "" : ` (${row.status})`}`],
    ["later", unseenOutcome(row)],
    [
      "took",
      `${row.total_ms} ms${row.provider_ms === null ? "" : `, of which the provider took ${row.provider_ms} ms`}`,
    ],
    ["credits", row.replayed ? `${row.credits}, replayed an earlier answer` : row.credits],
    ["key", row.key_name ? `${row.key_name} (${row.api_key_id})` : row.api_key_id],
    ["job", row.job_id ? `${row.job_id}, node ${row.node_id}` : null],
    ["repeats", row.replays ? `${row.replays}, free of charge` : null],
    ["at", row.at],
    ...errorFacts(row),
    ["refused", isRefused ? `by ${row.refused_by}: ${row.provider_status}${quoted(row.provider_words)}` : null],
    ["advice", isRefused ? row.advice : null],
    ["setting", row.setting ?? null],
  ];
  return factLines(facts);
}

type Facts = readonly (readonly [string, string | null])[];

const factLines = (facts: Facts): string[] =>
  facts.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(8)}  ${value}`]));

// A call can end differently from what its caller saw: a lost answer, a deadline.
function unseenOutcome({ call, outcome, replayed }: UsageRow & More): string | null {
  if (!call || replayed || call.state === "open" || !call.outcome || call.outcome === outcome) return null;
  const cost = call.charged === null ? "" : `, charged ${call.charged} credits`;
  return `the call ended as ${call.outcome}${cost}; the caller had disconnected`;
}

// The error the caller got, field by field, and the attempts at the provider.
function errorFacts({ error_answer: failed, attempts = [] }: More): Facts {
  return [
    ["answer", failed?.message ? failed.message : null],
    ...(failed?.fields ?? []).map(({ loc, msg }) => ["field", `${loc.join(".")}: ${msg}`] as const),
    ...attempts.map(({ at, ms, step, status, words }, index) => {
      const what = `${step === "submit" ? "asked" : "looked"} ${at}, ${ms} ms`;
      return [index === 0 ? "provider" : "", `${what}: ${status ?? "no answer"}${quoted(words)}`] as const;
    }),
  ];
}

// A request refused before it became a call.
function failedFacts({ request_id, error_answer: failed, key_name, api_key_id, at }: AccountRequest): Facts {
  return [
    ["request", request_id],
    ["what", failed ? `${failed.method} ${failed.path}` : null],
    ["outcome", failed ? `✕ ${failed.code} (${failed.status})` : null],
    ["key", key_name ? `${key_name} (${api_key_id})` : api_key_id],
    ["at", at],
    ...errorFacts({ error_answer: failed }),
  ];
}

const pollMs = 1_000;

async function tail(asked: Asked): Promise<CommandResult> {
  const { call, input } = asked;
  const most = call.whole("count", 1, 1_000_000) ?? Number.POSITIVE_INFINITY;
  const stop = Promise.withResolvers<"stop">();
  const endSignals = onLeave(() => stop.resolve("stop"));
  const seen = new Set<string>();
  let count = 0;
  // Start at the server's newest row, because its clock may differ from ours.
  const newest = (await rows(asked, readFilter(asked), 1).next()).value;
  const beginning = newest === undefined ? 0 : Date.parse(newest.at);
  if (newest !== undefined) seen.add(newest.id);
  // A request that ends late still has its original time, so we look back a few seconds; `seen` prevents printing it twice.
  let from = beginning;
  input.say("watching for requests   (Ctrl-C to stop)");
  try {
    for (let isOver = false; !isOver && count < most; ) {
      const query = { ...readFilter(asked), from: new Date(from).toISOString() };
      const fresh: UsageRow[] = [];
      for await (const row of rows(asked, query, 100)) if (!seen.has(row.id)) fresh.push(row);
      for (const row of fresh.reverse().slice(0, most - count)) {
        seen.add(row.id);
        count++;
        printRow(asked, row);
        from = Math.max(from, beginning, Date.parse(row.at) - 10 * pollMs);
      }
      if (count >= most) break;
      const timer = Promise.withResolvers<"time">();
      const waiting = setTimeout(() => timer.resolve("time"), pollMs);
      isOver = (await Promise.race([stop.promise, timer.promise])) === "stop";
      clearTimeout(waiting);
    }
  } finally {
    endSignals();
  }
  return { data: { told: count }, text: call.has("jsonl") ? jsonText({ type: "result", told: count }) : "" };
}

function printRow({ call, input }: Asked, row: UsageRow): void {
  if (call.has("jsonl")) {
    input.line(jsonText({ type: "request", ...row }));
    return;
  }
  if (input.json) return;
  const mark = isGood(row) ? "✓" : "✕";
  const what = row.subject.replace(/^model:/, "");
  input.line(
    `${mark} ${row.at}   ${what}   ${row.outcome}   ${row.total_ms} ms   ${row.credits} credits   ${row.request_id}`,
  );
}
