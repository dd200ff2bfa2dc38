// One request with everything about it, in its wire format.
import type * as wire from "@atelier/contract";
import { type CheckOfCall, presentCreditLine, type TrailCall } from "../../../capabilities/calls/index.ts";
import type { StoredError } from "../../../capabilities/error-answers/index.ts";
import type { Task } from "../../../capabilities/partner-tasks/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import { presentUsageRow } from "../figures/present-usage.ts";
import { modelPrefix, type ShownRequest } from "./show-request.ts";

// Decisions, section 3: a key answers for 24 hours after completion, and its answer is kept that long.
const keptMs = 86_400_000;
const moment = (at: Date | null) => at?.toISOString() ?? null;
const amount = (microCredits: string | null) => (microCredits === null ? null : creditsText(BigInt(microCredits)));
const keptUntil = (at: Date) => new Date(at.getTime() + keptMs).toISOString();

// The keys of calls made by nodes: job, node and a hash of the input.
const jobKey = /^job:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(.*):[0-9a-f]{64}$/s;

export function presentRequestTrail({
  id,
  row,
  rows,
  call,
  errorAnswer: failed,
  ...shown
}: ShownRequest): wire.AccountRequest {
  const [, jobId, nodeId] = jobKey.exec(call?.idempotencyKey ?? "") ?? [];
  const at = row?.at ?? call?.begunAt ?? failed?.at ?? new Date(0);
  return {
    request_id: id,
    subject: row?.subject ?? call?.subject ?? `${failed?.method} ${failed?.path}`,
    outcome: failed?.code ?? row?.outcome ?? call?.outcome ?? null,
    status: failed?.status ?? row?.status ?? null,
    at: at.toISOString(),
    credits: creditsText(row?.credits ?? 0n),
    replayed: row?.isReplay ?? false,
    total_ms: row?.totalMs ?? null,
    provider_ms: row?.providerMs ?? null,
    api_key_id: row?.apiKeyId ?? call?.apiKeyId ?? failed?.apiKeyId ?? null,
    key_name: shown.keyName,
    error_answer: failed && presentError(failed),
    attempts: (row?.attempts ?? []).flatMap((step) => (step.step === "check" ? [] : [{ ...step }])),
    checks: (row?.attempts ?? []).flatMap((step) => (step.step === "check" ? [presentCheck(step)] : [])),
    kept_outputs: call?.keptOutputs?.split(",") ?? [],
    rows: rows.map(presentUsageRow),
    call: call && presentCall(call, jobId === undefined),
    queued: shown.queued,
    partner_task: shown.task && presentTask(shown.task),
    job_id: jobId ?? null,
    node_id: nodeId ?? null,
    credit_lines: shown.lines.map(presentCreditLine),
    replays: Number(call?.replays ?? 0),
    answer: call && presentAnswer(call),
  };
}

function presentCall(call: TrailCall, isCallersKey: boolean): NonNullable<wire.AccountRequest["call"]> {
  const isModel = call.subject.startsWith(modelPrefix);
  return {
    id: call.id,
    state: call.state,
    outcome: call.outcome,
    model: isModel ? call.subject.slice(modelPrefix.length) : null,
    held: amount(call.hold),
    charged: amount(call.settled),
    created_at: call.begunAt.toISOString(),
    ended_at: moment(call.finishedAt),
    idempotency_key: isCallersKey ? call.idempotencyKey : null,
    key_answers_until: call.keyAnsweredAt === null ? null : keptUntil(call.keyAnsweredAt),
  };
}

function presentCheck({ at, ms, stage, verdict, words }: CheckOfCall): wire.AccountRequest["checks"][number] {
  return { at, ms, stage, verdict, reason: words };
}

function presentError(failed: StoredError): NonNullable<wire.AccountRequest["error_answer"]> {
  const { status, code, message, method, path, fields } = failed;
  const shown = fields.map(({ loc, msg }) => ({ loc: [...loc], msg }));
  return { at: failed.at.toISOString(), status, code, message, method, path, fields: shown };
}

function presentTask(task: Task): NonNullable<wire.AccountRequest["partner_task"]> {
  return {
    id: task.id,
    partner: task.partner,
    operation: task.operation,
    state: task.state,
    created_at: task.createdAt.toISOString(),
    ended_at: moment(task.endedAt),
  };
}

function presentAnswer(call: TrailCall): wire.AccountRequest["answer"] {
  const { answerStatus, answeredAt } = call;
  if (answerStatus === null || answeredAt === null) return null;
  return {
    stored: true,
    status: answerStatus,
    content_type: call.answerType,
    bytes: Number(call.answerBytes ?? 0),
    expires_at: keptUntil(answeredAt),
  };
}
