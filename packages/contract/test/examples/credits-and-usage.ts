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
  advice: null,
};
const day = { day: "2026-11-15", subject: "model:sandbox/image-1", calls: 3, failures: 1, replays: 2, credits: "2.5" };
const caps = { daily_credits_max: "100", monthly_credits_max: null };
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
};
