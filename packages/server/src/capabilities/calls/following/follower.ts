// The follower: this process's heartbeat, adopting calls of dead owners, and ending every call that no longer has a
// connection. It runs in every process that owns calls, except for the adoption, which is background work. Leases and ages
// use the database's clock.
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
  takeDueCalls,
} from "../call/call-store.ts";
import { defaultFollowRules, type Finding, type FollowRules, nextStep } from "../call/follow-call.ts";
import type { StoredCall } from "../call/stored-call.ts";
import type { Calls } from "../protocol/calls.ts";
import type { Unkept } from "../protocol/finish-calls.ts";

// What an area knows about its calls: how to ask the provider, and what the answer means.
export interface Inquiry {
  readonly finding: Finding;
  // Set with `ended`: how the call ends.
  readonly ending?: Omit<CallEnding, "call">;
  // What the key answers if the answer itself could not be stored.
  readonly unkept?: Unkept["answerOf"];
}

export interface CallFollowing {
  // Whether this area handles calls of the subject.
  handles(subject: string): boolean;
  inquire(call: StoredCall, signal: AbortSignal): Promise<Inquiry>;
  // The 502 the key answers if we will never know how the call ended.
  unknownAnswer(call: StoredCall): RecordedAnswer;
  // Ends calls of this area, if another row ends with them. False if the call was no longer ours to end.
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
  // After how long a call under our id that we do not know is given back. Longer than a call may wait to be sent.
  readonly lostAfterSeconds?: number;
  readonly rules?: FollowRules;
  // Whether a process on this machine, given its identity, has ended.
  isGone?(process: string): boolean;
}

export interface Follower {
  // One round of each. The loops below call them, and so do tests.
  beat(): Promise<void>;
  sweep(): Promise<void>;
  followDue(signal: AbortSignal): Promise<number>;
  // Takes over and follows until the signal fires. The heartbeat continues until `atRest` fires: while the process drains,
  // calls still at their provider are ours, however long that takes.
  run(background: Background, signal: AbortSignal, atRest?: AbortSignal): Promise<void>;
}

const role = "background" as const;
const atOnce = 16;
const adoptedMax = 100;
// Above this number we log one line with a count instead of one per call.
const loggedMax = 20;

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

  // A call we own but do not know was begun by a statement whose answer got lost, so it was never sent. We take the known
  // ids before the query as well as after: a call handed over while the query runs was sent, yet it appears in the result.
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
      log.error({ callId: call.id, subject: call.subject }, "the end of a call is unknown; it is not charged");
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

  // A full round means more are due. Sixteen a second would be too slow after a large process dies.
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
      // Others adopt what we still hold. If an ending still reaches us, the fence stops it.
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

// Marks processes of this machine that are gone, not asleep. Their calls need not wait for the lease.
async function noteTheDead({ database, calls, isGone = isProcessGone }: FollowerDeps): Promise<void> {
  const owners = await listOwnerProcesses(database, calls.ownerId);
  const dead = owners.filter((owner) => isGone(owner.process)).map(({ id }) => id);
  if (dead.length > 0) await noteDeaths(database, dead);
}

// A dead process may leave thousands of calls that only wait. None of them should be without an owner for long.
async function adoptAll({ database, log, calls }: FollowerDeps, leaseSeconds: number): Promise<void> {
  for (;;) {
    const adopted = await adoptCalls(database, { ownerId: calls.ownerId, leaseSeconds, count: adoptedMax });
    if (adopted.length > loggedMax) log.warn({ calls: adopted.length }, "took over calls whose owner is gone");
    else
      for (const call of adopted)
        log.warn({ callId: call.id, subject: call.subject }, "took over a call whose owner is gone");
    if (adopted.length < adoptedMax) return;
  }
}

// The usage row the first owner would have written: the caller's key and request are in the call.
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
