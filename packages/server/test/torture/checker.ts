// The judge of a run compares what the provider did, what the books say and what the clients saw. It is pure, so that
// tests can show it each kind of violation. An attempt whose connection was cut counts as neither success nor failure.
import { createHash } from "node:crypto";
import type { RunLine } from "./provider-log.ts";
import type { ProviderKind } from "./provider-script.ts";

export interface RecordedCall {
  readonly id: string;
  readonly workspaceId: string;
  readonly key: string | null;
  readonly state: "open" | "finished" | "unknown";
  readonly recovery: ProviderKind;
  readonly hold: bigint;
  readonly settled: bigint;
  readonly suspense: bigint;
  readonly fence: number;
  readonly outcome: string;
}

export interface RecordedKey {
  readonly workspaceId: string;
  readonly key: string;
  readonly callId: string;
  readonly status: number;
  readonly sha256: string;
}

export interface RecordedWallet {
  readonly workspaceId: string;
  readonly available: bigint;
  readonly held: bigint;
  readonly inFlight: number;
}

// One attempt of a client. `isFinal`: the client accepts this answer and stops.
export interface Seen {
  readonly workspaceId: string;
  readonly key: string | null;
  readonly callId: string | null;
  readonly status: number;
  readonly sha256: string;
  readonly isFinal: boolean;
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface RunFacts {
  readonly funded: bigint;
  readonly runs: readonly RunLine[];
  readonly calls: readonly RecordedCall[];
  readonly keys: readonly RecordedKey[];
  readonly wallets: readonly RecordedWallet[];
  readonly seen: readonly Seen[];
  // The names of the invariants that are broken, because their query returned rows.
  readonly brokenInvariants: readonly string[];
}

export const violationKinds = [
  "ran without an intent",
  "ran twice",
  "ran, not charged",
  "charged, not run",
  "unknown without suspense",
  "unknown though it could be asked",
  "left open",
  "answers of one key differ",
  "an answer is not the recorded one",
  "an answer is not the provider's",
  "wallet",
  "invariant",
] as const;
export type ViolationKind = (typeof violationKinds)[number];

export interface Violation {
  readonly kind: ViolationKind;
  readonly what: string;
}

export function sha256Of(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function findViolations(facts: RunFacts): Violation[] {
  return [
    ...runsAgainstIntents(facts),
    ...facts.calls.flatMap((call) => chargeOf(call, facts)),
    ...answersSeen(facts),
    ...wallets(facts),
    ...facts.brokenInvariants.map((name): Violation => ({ kind: "invariant", what: name })),
  ];
}

function runsAgainstIntents({ runs, calls }: RunFacts): Violation[] {
  const found: Violation[] = [];
  const callById = new Map(calls.map((call) => [call.id, call]));
  const runsOf = Map.groupBy(runs, (run) => run.callId);
  const ranUnderKey = new Map<string, number>();
  for (const [callId, own] of runsOf) {
    const call = callById.get(callId);
    if (!call) found.push({ kind: "ran without an intent", what: callId });
    if (own.length > 1) found.push({ kind: "ran twice", what: `${callId} ran ${own.length} times` });
    if (call && call.key !== null) {
      const name = `${call.workspaceId} ${call.key}`;
      ranUnderKey.set(name, (ranUnderKey.get(name) ?? 0) + 1);
    }
  }
  for (const [name, count] of ranUnderKey)
    if (count > 1) found.push({ kind: "ran twice", what: `key ${name} ran under ${count} calls` });
  return found;
}

const runIndex = new WeakMap<readonly RunLine[], Set<string>>();

function chargeOf(call: RecordedCall, { runs }: RunFacts): Violation[] {
  const ran = (runIndex.get(runs) ?? indexRuns(runs)).has(call.id);
  const what = `${call.recovery} call ${call.id}: ${call.outcome}, settled ${call.settled} of ${call.hold}, fence ${call.fence}`;
  if (call.state === "open") return [{ kind: "left open", what }];
  if (call.state === "unknown") {
    const found: Violation[] = [];
    if (call.settled !== 0n) found.push({ kind: "charged, not run", what });
    if (call.suspense !== call.hold) found.push({ kind: "unknown without suspense", what });
    if (call.recovery !== "neither") found.push({ kind: "unknown though it could be asked", what });
    return found;
  }
  if (ran && call.settled !== call.hold) return [{ kind: "ran, not charged", what }];
  if (!ran && call.settled !== 0n) return [{ kind: "charged, not run", what }];
  return [];
}

function indexRuns(runs: readonly RunLine[]): Set<string> {
  const index = new Set(runs.map((run) => run.callId));
  runIndex.set(runs, index);
  return index;
}

function answersSeen({ seen, keys, runs }: RunFacts): Violation[] {
  const found: Violation[] = [];
  const recorded = new Map(keys.map((key) => [`${key.workspaceId} ${key.key}`, key]));
  const bodyOf = new Map(runs.map((run) => [run.callId, sha256Of(run.body)]));
  const finals = seen.filter((answer) => answer.isFinal);
  for (const answer of finals) {
    if (answer.status !== 200 || answer.callId === null) continue;
    if (bodyOf.get(answer.callId) !== answer.sha256)
      found.push({ kind: "an answer is not the provider's", what: `call ${answer.callId}` });
  }
  const withKey = finals.filter((answer) => answer.key !== null);
  for (const [name, answers] of Map.groupBy(withKey, (answer) => `${answer.workspaceId} ${answer.key}`)) {
    const kinds = new Set(answers.map((answer) => `${answer.status} ${answer.sha256}`));
    if (kinds.size > 1) found.push({ kind: "answers of one key differ", what: `${name}: ${[...kinds].join(" | ")}` });
    const kept = recorded.get(name);
    if (!kept || !kinds.has(`${kept.status} ${kept.sha256}`))
      found.push({
        kind: "an answer is not the recorded one",
        what: `${name}: saw ${[...kinds].join(" | ")}, recorded ${kept?.status} ${kept?.sha256}`,
      });
  }
  return found;
}

function wallets({ wallets: all, calls, funded }: RunFacts): Violation[] {
  const settled = new Map<string, bigint>();
  for (const call of calls) settled.set(call.workspaceId, (settled.get(call.workspaceId) ?? 0n) + call.settled);
  return all.flatMap((wallet): Violation[] => {
    const expected = funded - (settled.get(wallet.workspaceId) ?? 0n);
    if (wallet.available === expected && wallet.held === 0n && wallet.inFlight === 0) return [];
    const what = `${wallet.workspaceId}: available ${wallet.available} of ${expected}, held ${wallet.held}, in flight ${wallet.inFlight}`;
    return [{ kind: "wallet", what }];
  });
}
