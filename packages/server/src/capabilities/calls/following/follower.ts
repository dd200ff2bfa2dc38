// The follower: heartbeat of this process, adoption of what dead owners left, and the end of every call that has no
// connection any more. Runs in every process that owns calls, save the adoption, which is background work; leases and ages go
// by the database's clock.
import { type Background, runHolding } from "../../../foundation/background.ts";
import type { Database } from "../../../foundation/database/index.ts";
import type { Log } from "../../../foundation/log.ts";
import { isProcessGone, processIdentity } from "../../../foundation/process-identity.ts";
import type { CallEnding, RecordedAnswer, SeenAnswer } from "../call/call-opening.ts";
import {
  adoptCalls,
  beatHeart,
  deleteOwner,
  findOwnCalls,
  forgetDeadOwners,
  insertOwner,
  listOwnerProcesses,
  lookAgain,
  noteDeaths,
  noteNotFound,
  parkCall,
  type StoredCall,
  takeDueCalls,
} from "../call/call-store.ts";
import { defaultFollowRules, type Finding, type FollowRules, nextStep } from "../call/follow-call.ts";
import type { Calls } from "../protocol/calls.ts";
import type { Unkept } from "../protocol/finish-calls.ts";

// What an area knows about its own calls: how to ask the provider, and what the answer means.
export interface Inquiry {
  readonly finding: Finding;
  // With `ended`: how the call ends.
  readonly ending?: Omit<CallEnding, "call">;
  // What the key answers when the answer itself could not be kept.
  readonly unkept?: Unkept["answerOf"];
}

export interface CallFollowing {
  // Whether this area's provider handles the subject.
  handles(subject: string): boolean;
  inquire(call: StoredCall, signal: AbortSignal): Promise<Inquiry>;
  // The 502 that the key answers when the end will never be known.
  unknownAnswer(call: StoredCall): RecordedAnswer;
  // How calls of this area end, where another row ends with them. False: it was not ours to end any more.
  finish?(call: StoredCall, ending: CallEnding, unkept?: Unkept): Promise<boolean>;
}

export interface FollowerDeps {
  readonly database: Database;
  readonly log: Log;
  readonly calls: Calls;
  readonly followings: readonly CallFollowing[];
  readonly leaseSeconds?: number;
  readonly heartbeatSeconds?: number;
  readonly sweepSeconds?: number;
  // When a call of ours that is unknown here is given back; longer than a call may wait to be sent.
  readonly lostAfterSeconds?: number;
  readonly rules?: FollowRules;
  // Whether a process of this machine has ended, by how it named itself.
  isGone?(process: string): boolean;
}

export interface Follower {
  // One round of each; the loops below call them, tests too.
  beat(): Promise<void>;
  sweep(): Promise<void>;
  followDue(signal: AbortSignal): Promise<number>;
  // Takes over and follows until the signal fires. The heart beats on until `atRest` does: calls that are still at their
  // provider while the process drains are ours, however long that takes.
  run(background: Background, signal: AbortSignal, atRest?: AbortSignal): Promise<void>;
}

const role = "background" as const;
const atOnce = 16;
const adoptedMax = 100;
// More at once are counted.
const toldMax = 20;

export function createFollower(deps: FollowerDeps): Follower {
  const { database, log, calls, followings, rules = defaultFollowRules } = deps;
  const { leaseSeconds = 45, heartbeatSeconds = 5, sweepSeconds = 5, lostAfterSeconds = 30 } = deps;

  async function beat(): Promise<void> {
    if (!(await beatHeart(database, calls.ownerId))) await insertOwner(database, calls.ownerId, processIdentity());
  }

  async function takeOver(): Promise<void> {
    await noteTheDead(deps);
    await adoptAll(deps, leaseSeconds);
    await forgetDeadOwners(database);
  }

  // Begun by a statement whose answer was lost: it is unknown here, so it was not sent. What was known before the question is known
  // too: a call that is handed over while the question is under way was sent, and stands in the answer as if it were not.
  async function releaseLost(): Promise<void> {
    const known = calls.open.ids();
    for (const call of await findOwnCalls(database, calls.ownerId, lostAfterSeconds)) {
      if (!known.has(call.id) && !calls.open.has(call.id)) await release(call, "never sent");
    }
  }

  const followingOf = ({ subject }: StoredCall) => followings.find((candidate) => candidate.handles(subject));
  const finish = (call: StoredCall, ending: CallEnding, unkept?: Unkept) =>
    followingOf(call)?.finish?.(call, ending, unkept) ?? calls.finish(ending, unkept);
  const release = (call: StoredCall, outcome: string) => finish(call, releasedEnd(call, outcome));

  async function follow(call: StoredCall, signal: AbortSignal): Promise<void> {
    const following = followingOf(call);
    const { finding, ending, unkept } = following
      ? await following.inquire(call, signal).catch((): Inquiry => ({ finding: { kind: "unreachable" } }))
      : { finding: { kind: "cannot_ask" } as const, ending: undefined, unkept: undefined };
    const step = nextStep(call, finding, rules);
    if (step.kind === "finish" && ending)
      await finish(call, { ...ending, call }, unkept && { isAwaited: () => false, answerOf: unkept });
    else if (step.kind === "park") await parkCall(database, call);
    else if (step.kind === "release") await release(call, finding.kind === "gone" ? "provider gone" : "never arrived");
    else if (step.kind === "declare_unknown") {
      const answer = following?.unknownAnswer(call) ?? null;
      log.error({ callId: call.id, subject: call.subject }, "nobody knows how a call ended; it is not charged");
      await finish(call, unknownEnd(call, answer));
    } else if (step.kind === "note_not_found") await noteNotFound(database, call, step.againSeconds);
    else if (step.kind === "look_again") await lookAgain(database, call, step.afterSeconds);
  }

  async function followDue(signal: AbortSignal): Promise<number> {
    const due = await takeDueCalls(database, { ownerId: calls.ownerId, count: atOnce, againSeconds: leaseSeconds });
    await Promise.all(
      due.map((call) =>
        follow(call, signal).catch((error: unknown) =>
          log.error({ callId: call.id, err: error }, "a call could not be followed"),
        ),
      ),
    );
    return due.length;
  }

  // A full round means that more is due: sixteen a second would be too few when a large process has died.
  async function followAllDue(signal: AbortSignal): Promise<void> {
    while ((await followDue(signal)) === atOnce && !signal.aborted);
  }

  return {
    beat,
    sweep: () => takeOver().then(releaseLost),
    followDue,
    run(background, until, atRest = until) {
      const everyMs = sweepSeconds * 1000;
      const works = [
        { name: "calls: heartbeat of this process", everyMs: heartbeatSeconds * 1000, round: beat, until: atRest },
        { name: "calls: take over what dead processes left", role, everyMs, round: takeOver, until },
        { name: "calls: release what was never sent", everyMs, round: releaseLost, until },
        { name: "calls: ask providers about open calls", everyMs: 1000, round: followAllDue, until },
      ];
      // What we still hold is adopted; an end that comes to us yet meets the fence.
      return runHolding(background, works, () => deleteOwner(database, calls.ownerId));
    },
  };
}

function releasedEnd(call: StoredCall, outcome: string): CallEnding {
  return { call, state: "finished", outcome, charge: 0n, answer: null, usage: usageOf(call, null) };
}

function unknownEnd(call: StoredCall, answer: RecordedAnswer | null): CallEnding {
  return { call, state: "unknown", outcome: "unknown", charge: 0n, answer, usage: usageOf(call, 502) };
}

// Those of this machine that are gone, not asleep: what they left need not wait for their lease.
async function noteTheDead({ database, calls, isGone = isProcessGone }: FollowerDeps): Promise<void> {
  const owners = await listOwnerProcesses(database, calls.ownerId);
  const dead = owners.filter((owner) => isGone(owner.process)).map(({ id }) => id);
  if (dead.length > 0) await noteDeaths(database, dead);
}

// A process may leave thousands that only wait: none of them may go without an owner for long.
async function adoptAll({ database, log, calls }: FollowerDeps, leaseSeconds: number): Promise<void> {
  for (;;) {
    const adopted = await adoptCalls(database, { ownerId: calls.ownerId, leaseSeconds, count: adoptedMax });
    if (adopted.length > toldMax) log.warn({ calls: adopted.length }, "took over calls whose owner is gone");
    else
      for (const call of adopted)
        log.warn({ callId: call.id, subject: call.subject }, "took over a call whose owner is gone");
    if (adopted.length < adoptedMax) return;
  }
}

// The usage row is the one that the first owner would have written: the caller's key and request stand in the call.
export function usageOf(call: StoredCall, status: number | null): CallEnding["usage"] {
  const seen = seenOf(call);
  return {
    ...(seen ? { seen } : {}),
    ...(seen?.attempts ? { attempts: seen.attempts } : {}),
    requestId: call.requestId,
    apiKeyId: call.apiKeyId,
    subject: call.subject,
    status,
    totalMs: call.ageSeconds * 1000,
    providerMs: null,
  };
}

// Its caller was answered before it ended (followCall).
function seenOf({ context }: StoredCall): SeenAnswer | null {
  const seen: unknown = typeof context === "object" && context !== null ? Reflect.get(context, "seen") : null;
  if (typeof seen !== "object" || seen === null) return null;
  const { status, outcome, attempts }: Partial<SeenAnswer> = { ...seen };
  if (typeof status !== "number" || typeof outcome !== "string") return null;
  return { status, outcome, ...(Array.isArray(attempts) ? { attempts } : {}) };
}
