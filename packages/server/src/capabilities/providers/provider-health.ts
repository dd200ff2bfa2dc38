// How providers behave in this process's own calls, per provider and credential: success, time, the last refusal, and a circuit.
// The circuit opens after several failures in a row. After a pause one call may try again: its success closes the circuit, its
// failure doubles the pause. Only routes ask the circuit, and an open one only moves a target to the end of their list. The log says
// when a circuit opens and when it closes, for operators without a monitoring system.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../foundation/clock.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { type Outcome, outcomeReasons } from "./outcome.ts";

// Whose credential a call used: null for the server's.
export type CredentialOf = WorkspaceId | null;

export interface CallEnded {
  readonly provider: string;
  readonly model: string;
  readonly credentialOf: CredentialOf;
  readonly outcome: Outcome;
  readonly ms: number;
}

export type Circuit = "closed" | "open" | "half_open";

export interface HealthEntry {
  readonly provider: string;
  readonly credentialOf: CredentialOf;
  readonly circuit: Circuit;
  // When an open circuit lets one call try again.
  readonly triesAgainAt: Date | null;
  readonly calls: number;
  // Of the recent calls, weighted towards the newest: 0 to 1.
  readonly success: number;
  // Of those that succeeded. Null if none did.
  readonly latencyMs: number | null;
  readonly lastFailure: { readonly at: Date; readonly reason: string; readonly status: number | null } | null;
}

export interface ModelFigures {
  readonly success: number;
  readonly latencyMs: number | null;
}

export interface ProviderHealth {
  ended(call: CallEnded): void;
  // Whether a route should ask this provider now. A half-open circuit says yes once in each pause.
  mayAsk(provider: string, credentialOf: CredentialOf): boolean;
  isClosed(provider: string, credentialOf: CredentialOf): boolean;
  // Null if no call of it was seen.
  ofModel(model: string, credentialOf: CredentialOf): ModelFigures | null;
  // Sorted by provider, the server's credential first.
  list(): readonly HealthEntry[];
}

const failuresToOpen = 5;
const firstPauseMs = 10_000;
const longestPauseMs = 120_000;
// The weight of the newest call.
const newest = 0.1;
const entriesMax = 2_000;

interface Figures {
  calls: number;
  success: number;
  latencyMs: number | null;
}

interface Entry extends Figures {
  readonly provider: string;
  readonly credentialOf: CredentialOf;
  inRow: number;
  pauseMs: number;
  // By the monotonic clock. Null while the circuit is closed.
  openUntilMs: number | null;
  lastFailure: HealthEntry["lastFailure"];
}

export function createProviderHealth(
  clock: Pick<Clock, "now" | "monotonicMs">,
  log: Pick<Log, "info" | "warn">,
): ProviderHealth {
  const entries = new BoundedMap<string, Entry>(entriesMax);
  const models = new BoundedMap<string, Figures>(entriesMax);

  function entryOf(provider: string, credentialOf: CredentialOf): Entry {
    const key = keyOf(provider, credentialOf);
    const known = entries.get(key);
    if (known) return known;
    const closed = { inRow: 0, pauseMs: firstPauseMs, openUntilMs: null, lastFailure: null };
    const entry = { provider, credentialOf, ...noFigures(), ...closed };
    entries.set(key, entry);
    return entry;
  }

  function figuresOf(model: string, credentialOf: CredentialOf): Figures {
    const key = keyOf(model, credentialOf);
    const known = models.get(key);
    if (known) return known;
    const figures = noFigures();
    models.set(key, figures);
    return figures;
  }

  function fail(entry: Entry, outcome: Outcome): void {
    entry.inRow += 1;
    entry.lastFailure = { at: clock.now(), reason: reasonOf(outcome), status: statusOf(outcome) };
    const wasOpen = entry.openUntilMs !== null;
    if (!wasOpen && entry.inRow < failuresToOpen) return;
    if (wasOpen) entry.pauseMs = Math.min(longestPauseMs, entry.pauseMs * 2);
    const asked = outcome.kind === "failed" ? (outcome.retryAfterSeconds ?? 0) * 1000 : 0;
    entry.openUntilMs = clock.monotonicMs() + Math.min(longestPauseMs, Math.max(entry.pauseMs, asked));
    if (!wasOpen) tellOpened(log, entry);
  }

  return {
    ended({ provider, model, credentialOf, outcome, ms }) {
      const isWell = isWorking(outcome);
      const entry = entryOf(provider, credentialOf);
      count(entry, isWell, ms);
      count(figuresOf(model, credentialOf), isWell, ms);
      if (!isWell) {
        fail(entry, outcome);
        return;
      }
      if (entry.openUntilMs !== null) tellClosed(log, entry);
      entry.inRow = 0;
      entry.pauseMs = firstPauseMs;
      entry.openUntilMs = null;
    },
    mayAsk(provider, credentialOf) {
      const entry = entries.get(keyOf(provider, credentialOf));
      if (!entry || entry.openUntilMs === null) return true;
      const nowMs = clock.monotonicMs();
      if (nowMs < entry.openUntilMs) return false;
      // The next one waits for this one's end, or for another pause.
      entry.openUntilMs = nowMs + entry.pauseMs;
      return true;
    },
    isClosed: (provider, credentialOf) => (entries.get(keyOf(provider, credentialOf))?.openUntilMs ?? null) === null,
    ofModel(model, credentialOf) {
      const figures = models.get(keyOf(model, credentialOf));
      return figures ? { success: figures.success, latencyMs: figures.latencyMs } : null;
    },
    list: () =>
      [...entries.values()]
        .map((entry) => shown(entry, clock))
        .sort((a, b) => (keyOf(a.provider, a.credentialOf) < keyOf(b.provider, b.credentialOf) ? -1 : 1)),
  };
}

// The owner of a workspace's own credential can mend it, the operator cannot.
function tellOpened(log: Pick<Log, "info" | "warn">, { provider, credentialOf, lastFailure }: Entry): void {
  const isOurs = credentialOf === null;
  const { reason: words = null, status = null } = lastFailure ?? {};
  const fields = { provider, credential: isOurs ? "server" : "own", workspaceId: credentialOf, status, words };
  const message = `${provider} failed ${failuresToOpen} calls in a row: routes ask it last until one succeeds`;
  if (isOurs) log.warn(fields, message);
  else log.info(fields, message);
}

function tellClosed(log: Pick<Log, "info">, { provider, credentialOf }: Entry): void {
  const credential = credentialOf === null ? "server" : "own";
  log.info({ provider, credential, workspaceId: credentialOf }, `${provider} answers again`);
}

const keyOf = (name: string, credentialOf: CredentialOf) => `${name} ${credentialOf ?? ""}`;

const noFigures = (): Figures => ({ calls: 0, success: 1, latencyMs: null });

// A provider that refuses an input or a prompt does its work.
function isWorking({ kind }: Outcome): boolean {
  return (
    kind === "completed" || kind === "ran" || kind === "refused" || kind === "rejected_input" || kind === "cancelled"
  );
}

function count(figures: Figures, isWell: boolean, ms: number): void {
  const weight = figures.calls === 0 ? 1 : newest;
  figures.calls += 1;
  figures.success += weight * ((isWell ? 1 : 0) - figures.success);
  if (isWell)
    figures.latencyMs = figures.latencyMs === null ? ms : figures.latencyMs + newest * (ms - figures.latencyMs);
}

function reasonOf(outcome: Outcome): string {
  if (outcome.kind === "provider_timed_out") return "the provider ran out of time";
  if (outcome.kind === "failed" && outcome.reason === outcomeReasons.ourAccount)
    return outcome.refusedAccount?.words ?? outcome.reason;
  return "reason" in outcome ? outcome.reason : outcome.kind;
}

function statusOf(outcome: Outcome): number | null {
  return "upstreamStatus" in outcome ? outcome.upstreamStatus : null;
}

function shown(entry: Entry, clock: Pick<Clock, "now" | "monotonicMs">): HealthEntry {
  const { provider, credentialOf, calls, success, latencyMs, lastFailure, openUntilMs } = entry;
  const leftMs = openUntilMs === null ? 0 : openUntilMs - clock.monotonicMs();
  return {
    provider,
    credentialOf,
    circuit: openUntilMs === null ? "closed" : leftMs > 0 ? "open" : "half_open",
    triesAgainAt: openUntilMs === null ? null : new Date(clock.now().getTime() + Math.max(0, leftMs)),
    calls,
    success: Math.round(success * 1000) / 1000,
    latencyMs: latencyMs === null ? null : Math.round(latencyMs),
    lastFailure,
  };
}
