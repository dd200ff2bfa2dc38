// Usage and credits in their wire format: this is the only place in this area where micro-credits become decimal texts.
import type * as wire from "@atelier/contract";
import type { KeyCap, KeySpending, UsageDay, UsageRow } from "../../../capabilities/calls/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";

export function presentUsageRow(row: UsageRow): wire.UsageRow {
  const last = row.attempts.findLast((step) => step.step !== "check");
  return {
    id: row.id,
    at: row.at.toISOString(),
    request_id: row.requestId,
    call_id: row.callId,
    api_key_id: row.apiKeyId,
    tags: row.tags,
    end_user: row.endUser,
    subject: row.subject,
    outcome: row.outcome,
    status: row.status,
    credits: creditsText(row.credits),
    replayed: row.isReplay,
    total_ms: row.totalMs,
    provider_ms: row.providerMs,
    refused_by: row.refusedAccount?.holder ?? null,
    provider_status: row.refusedAccount?.status ?? last?.status ?? null,
    provider_words: row.refusedAccount?.words ?? last?.words ?? null,
    advice: row.refusedAccount ? advice[row.refusedAccount.mender] : null,
  };
}

const advice = {
  operator: "The provider rejected this server's account. Only the operator of this server can fix this.",
  workspace: "The provider rejected the workspace's own credential. An owner of the workspace can store another.",
} as const;

export function presentUsageDays(days: readonly UsageDay[]): wire.UsageDayList {
  const total = { calls: 0, failures: 0, replays: 0, credits: 0n };
  for (const day of days) {
    total.calls += day.calls;
    total.failures += day.failures;
    total.replays += day.replays;
    total.credits += day.credits;
  }
  return {
    data: days.map(({ subject, credits, ...rest }) => ({
      ...rest,
      ...(subject === null ? {} : { subject }),
      credits: creditsText(credits),
    })),
    total: { ...total, credits: creditsText(total.credits) },
  };
}

export function presentKeyCaps(keyId: string, found: KeyCap & KeySpending): wire.KeyCaps {
  return {
    key_id: keyId,
    daily_credits_max: found.day === null ? null : creditsText(found.day),
    monthly_credits_max: found.month === null ? null : creditsText(found.month),
    spent_today: creditsText(found.spentDay),
    spent_this_month: creditsText(found.spentMonth),
    held: creditsText(found.held),
  };
}
