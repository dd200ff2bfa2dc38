// Sends what is due, a few at once, each under a lease. While the server takes nothing, this process rests for a minute.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { htmlOf } from "./compose-mail.ts";
import type { MailMeter } from "./mail-metrics.ts";
import {
  type ClaimedMail,
  claimMails,
  endOldMails,
  type MailSettlement,
  releaseMails,
  settleMail,
} from "./mail-store.ts";
import type { MailOutcome, SendMail } from "./send-mail.ts";

export interface MailRoundDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly send: SendMail;
  // The right part of Message-IDs.
  readonly domain: string;
  readonly meter: MailMeter;
}

const claimedMax = 20;
const atOnce = 3;
// Longer than an attempt, with the others of its claim before it.
const leaseSeconds = 600;
const restMs = 60_000;
const dayMs = 86_400_000;
const endMs = 3 * dayMs;
const ended = "No attempt succeeded in three days.";
// After each refusal for now, as mail servers say "try again later".
const stepsMs = [60_000, 300_000, 900_000, 3_600_000, 4 * 3_600_000, 8 * 3_600_000, 12 * 3_600_000, dayMs];

export function createMailRound(deps: MailRoundDeps): (signal?: AbortSignal) => Promise<void> {
  const { database, clock, log, send } = deps;
  let restsUntilMs = 0;
  const mayGoOn = (signal?: AbortSignal) => !signal?.aborted && clock.monotonicMs() >= restsUntilMs;

  // Takes from the list until it is empty, or the server takes nothing.
  async function sendSome(mails: ClaimedMail[], signal?: AbortSignal): Promise<void> {
    while (mayGoOn(signal)) {
      const mail = mails.shift();
      if (mail === undefined) return;
      const { recipient: to, subject, body: text, createdAt: date } = mail;
      const messageId = `${mail.id}@${deps.domain}`;
      const outcome = await send({ messageId, to, subject, text, html: htmlOf(text), date });
      deps.meter.attempt(outcome.kind);
      if (outcome.kind === "unavailable") {
        if (mayGoOn()) log.warn({ answer: outcome.answer }, "the mail server takes no mail; trying again in a minute");
        restsUntilMs = clock.monotonicMs() + restMs;
      }
      const settled = settlementOf(mail, outcome, clock.now());
      if (settled.status === "failed") log.warn({ mailId: mail.id, answer: outcome.answer }, "a mail was refused");
      await record(deps, settled, signal);
    }
  }

  return async (signal) => {
    const now = clock.now();
    await endOldMails(database, { now, before: new Date(now.getTime() - endMs), answer: ended });
    while (mayGoOn(signal)) {
      const mails = await claimMails(database, { claimId: newId(), now: clock.now(), leaseSeconds, count: claimedMax });
      if (mails.length === 0) return;
      await Promise.all(Array.from({ length: atOnce }, () => sendSome(mails, signal)));
      const dueAt = new Date(clock.now().getTime() + (signal?.aborted ? 0 : restMs));
      if (mails.length > 0) await releaseMails(database, { mails, dueAt });
    }
  };
}

// If the server has it, we insist on writing that down, for as long as the lease keeps others from sending it.
async function record(
  { database, clock }: Pick<MailRoundDeps, "database" | "clock">,
  settlement: MailSettlement,
  signal?: AbortSignal,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await settleMail(database, settlement);
    } catch (error) {
      if (settlement.status !== "sent" || tries === 10 || signal?.aborted) throw error;
      await clock.sleep(1_000 * tries, signal);
    }
  }
}

function settlementOf(mail: ClaimedMail, outcome: MailOutcome, now: Date): MailSettlement {
  const said = { mail, now, answer: outcome.answer };
  if (outcome.kind === "accepted") return { ...said, status: "sent", isAttempt: true, dueAt: null };
  if (outcome.kind === "unavailable")
    return { ...said, status: "waiting", isAttempt: false, dueAt: new Date(now.getTime() + restMs) };
  const stepMs = outcome.isFinal ? undefined : stepsMs[mail.attempts];
  if (stepMs === undefined) return { ...said, status: "failed", isAttempt: true, dueAt: null };
  return { ...said, status: "waiting", isAttempt: true, dueAt: new Date(now.getTime() + stepMs) };
}
