// The judge of a tortured router: what the callers saw, what the books say and what the sandbox counted must tell the
// same story.
import { callInvariants } from "../../src/capabilities/calls/shared-sql.ts";
import { parseCredits } from "../../src/capabilities/prices/index.ts";
import type { Queryable } from "../../src/foundation/database/index.ts";
import { inLanes } from "../support/router-calls.ts";
import { allInvocations, type RecordedInvocation, recordedUnderKey } from "../support/router-records-store.ts";
import type { SandboxProvider, SandboxReference } from "../support/sandbox-provider.ts";
import type { RouterCall } from "./router-clients.ts";

export interface RouterVerdict {
  readonly violations: readonly string[];
  readonly calls: number;
  readonly charged: number;
  readonly runs: number;
  // Ended by a process other than the one that began them.
  readonly takenOver: number;
  // Open, because the intent was written but the provider never heard of it: it must not be sent again before the
  // quarantine is over, and it keeps its hold and slot.
  readonly quarantined: number;
}

// These must hold even while every process is dead. The others are about time.
const atAnyMoment = /^I(?:1|2|3|4|6|7|10|11|12) /;

export async function brokenInvariants(db: Queryable, isFinal: boolean): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, statement } of callInvariants) {
    if (!isFinal && !atAnyMoment.test(name)) continue;
    const rows = await db.query(statement);
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return broken;
}

export async function judge(
  db: Queryable,
  provider: SandboxProvider,
  calls: readonly RouterCall[],
): Promise<RouterVerdict> {
  const violations = await brokenInvariants(db, true);
  const recorded = await allInvocations(db);
  const seen = new Map<string, SandboxReference | null>();
  await inLanes(16, recorded, async ({ callId }) => void seen.set(callId, await provider.reference(callId)));
  for (const call of recorded) violations.push(...invocationFaults(call, seen.get(call.callId) ?? null));
  const keyed = new Map<string, RecordedInvocation>();
  await inLanes(16, calls, async (call) => {
    const [found, ...more] = await recordedUnderKey(db, call.key);
    if (more.length > 0) violations.push(`the key ${call.key} names ${more.length + 1} calls`);
    if (found) keyed.set(call.key, found);
    violations.push(...answersOf(call, found ?? null, found ? (seen.get(found.callId) ?? null) : null));
  });
  const runs = [...seen.values()].reduce((sum, one) => sum + (one?.runs ?? 0), 0);
  const counted = await provider.runs();
  if (counted !== runs) violations.push(`the sandbox ran ${counted} times, the calls explain ${runs}`);
  return {
    violations,
    calls: recorded.length,
    charged: recorded.filter(({ settled }) => settled > 0n).length,
    runs,
    takenOver: recorded.filter(({ fence }) => fence > 1).length,
    quarantined: recorded.filter(({ state }) => state === "open").length,
  };
}

export function invocationFaults(call: RecordedInvocation, seen: SandboxReference | null): string[] {
  const faults: string[] = [];
  const say = (what: string) => faults.push(`${call.callId} ${what}: ${JSON.stringify({ seen, ...asText(call) })}`);
  if ((seen?.runs ?? 0) > 1) say("ran twice");
  if (call.settleLines > 1) say("was charged twice");
  if (call.settleSum > call.hold) say("was charged beyond its hold");
  if (call.settleSum > 0n && seen?.status !== "SUCCEEDED") say("was charged and did not run");
  if (call.state === "open" && seen !== null) say("is left open though the provider knows it");
  if (call.state === "unknown") say("ended unknown though the provider can be asked");
  if (call.state === "finished" && call.hold > 0n && seen?.status === "SUCCEEDED" && call.settleSum === 0n)
    say("ran and was not charged");
  return faults;
}

export function answersOf(
  call: RouterCall,
  recorded: RecordedInvocation | null,
  seen: SandboxReference | null,
): string[] {
  const faults: string[] = [];
  if (call.answers.size > 1) faults.push(`the key ${call.key} gave ${call.answers.size} different answers`);
  if (call.credits.size > 1) faults.push(`the key ${call.key} named different credits: ${[...call.credits].join()}`);
  if (recorded?.state === "finished" && seen?.status === "SUCCEEDED" && call.answers.size === 0)
    faults.push(`the key ${call.key} never gave the result it was charged for`);
  for (const answer of call.answers)
    if (answer !== seen?.response_sha256) faults.push(`the key ${call.key} gave bytes that are not the provider's`);
  for (const credits of call.credits)
    if (parseCredits(credits) !== recorded?.settleSum)
      faults.push(`the key ${call.key} named ${credits} credits and the journal ${recorded?.settleSum}`);
  return faults;
}

function asText({ hold, settled, settleSum, ...rest }: RecordedInvocation): object {
  return { ...rest, hold: String(hold), settled: String(settled), settleSum: String(settleSum) };
}
