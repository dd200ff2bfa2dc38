// Realistic credits, usage rows and caps, and ways to break them.
import { time as at, type Example, uuid as id } from "./example.ts";

const balance = { available: "9998.75", held: "0.25", in_flight: 1 };
const line = { transaction_id: id, kind: "settle", amount: "1.25", change: "-1.25", at };
const row = {
  id,
  at,
  request_id: id,
  call_id: id,
  api_key_id: null,
  subject: "model:sandbox/image-1",
  outcome: "succeeded",
  status: 200,
  credits: "1.25",
  replayed: false,
  total_ms: 812,
  provider_ms: 800,
  refused_by: "partner partner-a",
  provider_status: 401,
  provider_words: "The key *** was revoked",
  tags: { project: "spring" },
  end_user: "user-7",
  advice: null,
};
const body = {
  kind: "json",
  content_type: "application/json",
  bytes: 18,
  sha256: "0".repeat(64),
  text: '{"prompt":"a fox"}',
  removed: [{ at: "/image", what: "file" }],
};
const day = { day: "2026-11-15", subject: "model:sandbox/image-1", calls: 3, failures: 1, replays: 2, credits: "2.5" };
const caps = { daily_credits_max: "100", monthly_credits_max: null };
const sums = { calls: 3, failures: 1, replays: 2, credits: "2.5" };
const point = { at, key: "model:sandbox/image-1", ...sums, p50_ms: 810, p95_ms: null };
const errors = {
  outcome: "provider_error",
  subject: "model:sandbox/image-1",
  status: 502,
  count: 4,
  first_at: at,
  last_at: at,
  credits: "0",
  last_request_id: id,
};
const stats = {
  model: "sandbox/image-1",
  calls: 4,
  successes: 3,
  failures: 1,
  success_rate: 0.75,
  p50_ms: 810,
  p95_ms: 1200,
  last_at: at,
};
const request = {
  request_id: id,
  subject: "model:sandbox/image-1",
  outcome: "succeeded",
  status: 200,
  at,
  credits: "1.25",
  replayed: false,
  total_ms: 812,
  provider_ms: 800,
  api_key_id: id,
  key_name: "ci",
  error_answer: {
    at,
    status: 422,
    code: "invalid_input",
    message: "prompt: must be string",
    method: "POST",
    path: "/v1/models/sandbox/image-1",
    fields: [{ loc: ["body", "prompt"], msg: "must be string" }],
  },
  attempts: [{ at, ms: 120, step: "submit", status: 500, words: "boom" }],
  kept_outputs: [],
  checks: [{ at, ms: 14, stage: "answer", verdict: "refused", reason: "Not that." }],
  rows: [row],
  call: {
    id,
    state: "finished",
    outcome: "succeeded",
    model: "sandbox/image-1",
    held: "1.5",
    charged: "1.25",
    created_at: at,
    ended_at: at,
    idempotency_key: "lighthouse-1",
    key_answers_until: at,
  },
  queued: null,
  partner_task: { id, partner: "partner-a", operation: "relight", state: "completed", created_at: at, ended_at: at },
  job_id: null,
  node_id: null,
  credit_lines: [line],
  replays: 0,
  answer: { stored: true, status: 200, content_type: "application/json", bytes: 812, expires_at: at },
};
const found = { kind: "model", id: "sandbox/image-1", title: "sandbox/image-1", subtitle: null, at: null };
const refused = {
  request_id: id,
  at,
  method: "GET",
  path: "/api/v2/jobs/7",
  status: 404,
  code: "not_found",
  message: "There is no such job.",
  api_key_id: null,
};
const kept = {
  model: "sandbox/image-1",
  input: '{"prompt":"a red fox","seed":18446744073709551615}',
  request_id: id,
  credits: "1.25",
  asset_ids: [id],
};
const page = (entry: object) => ({ data: [entry], has_more: true, next_cursor: "v1.abc.def", limit: 20 });

export const creditAndUsageExamples: Record<string, Example> = {
  CreditBalance: { good: balance, broken: { in_flight: -1, available: 9998.75, held: undefined } },
  CreditLine: { good: line, broken: { kind: "gift", change: "+1" } },
  CreditLinePage: { good: page(line), broken: { "data.0.kind": "gift", limit: 0 } },
  MoveCredits: { good: { amount: "500.000001", note: "invoice 7" }, broken: { amount: "0", note: 7 } },
  CreditMove: {
    good: { transaction_id: id, workspace_id: id, amount: "500", credits: balance },
    broken: { credits: "500", workspace_id: undefined },
  },
  RefundCall: { good: { note: "the picture was black" }, broken: { note: 7 } },
  KeyCaps: {
    good: { key_id: id, ...caps, spent_today: "1", spent_this_month: "40.5", held: "0" },
    broken: { held: "-1", daily_credits_max: 100 },
  },
  SetKeyCaps: { good: caps, broken: { daily_credits_max: 100, monthly_credits_max: "many" } },
  UsageRow: { good: row, broken: { status: 42, replayed: "no", credits: 1.25, provider_status: "401", refused_by: 1 } },
  UsagePage: { good: page(row), broken: { "data.0.total_ms": -1 } },
  UsageDay: { good: day, broken: { day: "15.11.2026", calls: -1 } },
  UsageDayList: {
    good: { data: [day], total: { calls: 3, failures: 1, replays: 2, credits: "2.5" } },
    broken: { total: {}, "data.0.credits": 2.5 },
  },
  UsagePoint: { good: point, broken: { at: undefined, calls: -1, p50_ms: 0.5 } },
  UsageSeries: {
    good: {
      from: at,
      to: at,
      step: "hour",
      by: "subject",
      data: [point],
      groups: [{ key: "model:sandbox/image-1", ...sums }],
      total: { ...sums, p50_ms: 810, p95_ms: 1200 },
    },
    broken: { step: "week", by: "day", "data.0.key": 7, groups: undefined, "total.p95_ms": "fast" },
  },
  ErrorGroup: { good: errors, broken: { count: 0, status: 42, last_request_id: "1" } },
  ErrorGroupList: {
    good: { from: at, to: at, data: [errors], total: { count: 4, groups: 1, credits: "0" } },
    broken: { "total.count": -1, "data.0.first_at": undefined },
  },
  ModelStats: { good: stats, broken: { success_rate: 1.5, p95_ms: "fast", model: undefined } },
  ModelStatsList: { good: { hours: 24, data: [stats] }, broken: { hours: 0, "data.0.calls": -1 } },
  AccountRequest: {
    good: request,
    broken: { status: 42, "call.state": "lost", "answer.bytes": -1, "partner_task.state": "done", replays: undefined },
  },
  ErrorAnswerRow: { good: refused, broken: { status: 200, request_id: "1", message: undefined } },
  ErrorAnswerPage: { good: page(refused), broken: { "data.0.code": 7 } },
  RequestBody: { good: body, broken: { kind: "picture", sha256: "abc", bytes: -1, "removed.0.what": "prompt" } },
  RequestBodies: {
    good: { request_id: id, keeping: true, kept_at: at, expires_at: at, input: body, answer: null, status: 200 },
    broken: { keeping: "yes", status: 42, "input.text": 7 },
  },
  SetRequestBodyKeeping: { good: { enabled: true, keep_hours: 24 }, broken: { enabled: 1, keep_hours: 0 } },
  RequestBodyKeeping: {
    good: {
      enabled: true,
      keep_hours: 72,
      keep_hours_max: 720,
      body_bytes_max: 262_144,
      changed_at: null,
      kept_requests: 12,
      kept_bytes: 34_567,
    },
    broken: { enabled: undefined, keep_hours_max: -1, kept_bytes: 1.5 },
  },
  KeepPlaygroundRun: { good: kept, broken: { model: "image-1", input: "", asset_ids: ["1"] } },
  PlaygroundRun: { good: { id, at, ...kept }, broken: { id: "1", credits: 1.5 } },
  PlaygroundRunPage: { good: page({ id, at, ...kept }), broken: { "data.0.at": "today" } },
  KeepModelOutput: {
    good: {
      request_id: id,
      url: "https://files.example.com/fox.png",
      name: "fox.png",
      tags: ["playground"],
      idempotency_key: id,
    },
    broken: {
      request_id: undefined,
      idempotency_key: "a b",
      url: "file:///etc/passwd",
      name: "../fox.png",
      tags: [""],
    },
  },
  KeptModelOutput: { good: { asset_id: id, created_new: true }, broken: { asset_id: "1", created_new: undefined } },
  FoundThing: { good: found, broken: { kind: "thing", id: undefined, at: "today" } },
  FoundThings: { good: { data: [found] }, broken: { "data.0.title": 7 } },
  NodeEstimate: {
    good: { node_id: "3", class_type: "AtelierModelImage", credits: { lowest: "1", highest: "2" }, is_exact: false },
    broken: { node_id: 3, class_type: null, title: 1, is_exact: undefined },
  },
  GraphEstimate: {
    good: {
      credits: { lowest: "1", highest: "2.5" },
      hold: "2.5",
      is_exact: false,
      nodes: [{ node_id: "run", credits: { lowest: "0", highest: "0.5" }, is_exact: false }],
    },
    broken: { credits: "2.5", hold: "-1", nodes: undefined },
  },
  AskEstimate: {
    good: { workflow: { "9": { class_type: "SaveImage", inputs: { images: ["8", 0] } } }, priority: 1 },
    broken: { workflow: "none", priority: "high" },
  },
  NodeCharge: {
    good: { node_id: "3", credits: "0.5", calls: 2, request_ids: [id] },
    broken: { node_id: 3, credits: 0.5, calls: 0, request_ids: ["7"] },
  },
  JobCharge: { good: { job_id: id, credits: "2.5" }, broken: { job_id: "7", credits: 2.5 } },
  JobCharges: {
    good: {
      job_id: id,
      credits: "2.5",
      running_time: "2",
      nodes: [{ node_id: "3", credits: "0.5", calls: 1, request_ids: [id] }],
    },
    broken: { job_id: "7", credits: undefined, running_time: 2, nodes: undefined },
  },
  JobChargeList: { good: { data: [{ job_id: id, credits: null }] }, broken: { data: undefined } },
};
