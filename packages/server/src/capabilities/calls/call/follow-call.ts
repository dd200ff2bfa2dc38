// What to do with a call whose owner is gone or whose caller went away: ask the provider, repeat under our id, or wait
// out the quarantine. "Not found" is believed only after the quarantine and only twice, half a minute apart: before that
// the old owner may still be about to send (it checks its own clock before it does). Where that process was found gone, a
// minute is enough: it sends nothing more. Pure: the table test is the policy.
import type { StoredCall } from "./call-store.ts";

// What a provider says about work that we asked for under our id.
export type Finding =
  | { readonly kind: "ended" }
  | { readonly kind: "running" }
  | { readonly kind: "not_found" }
  | { readonly kind: "unreachable" }
  // It is ended elsewhere: a task that the area follows by itself.
  | { readonly kind: "parked" }
  // The provider lived and died with the process that had asked it: whatever it made of the call is gone.
  | { readonly kind: "gone" }
  // The provider can neither be asked nor repeated, and left no handle.
  | { readonly kind: "cannot_ask" };

export type NextStep =
  | { readonly kind: "finish" }
  | { readonly kind: "release" }
  | { readonly kind: "park" }
  | { readonly kind: "declare_unknown" }
  | { readonly kind: "note_not_found"; readonly againSeconds: number }
  | { readonly kind: "look_again"; readonly afterSeconds: number };

export interface FollowRules {
  // Deadline of a call + the provider's grace + the longest pause of one of our processes.
  readonly quarantineSeconds: number;
  // The same after the sender was found gone: for what was on its way then.
  readonly goneSeconds: number;
  readonly notFoundTimes: number;
  readonly notFoundApartSeconds: number;
  readonly pollSeconds: number;
}

export const defaultFollowRules: FollowRules = {
  quarantineSeconds: 22 * 60,
  goneSeconds: 60,
  notFoundTimes: 2,
  notFoundApartSeconds: 30,
  pollSeconds: 2,
};

// A call that will end `unknown` once its quarantine is over: a process took it over (its fence rose), and its provider
// can neither be asked nor polled. The call waits; who waits for the call need not.
export function isUnknowable({ fence, recovery, handle }: Pick<StoredCall, "fence" | "recovery" | "handle">): boolean {
  return fence > 1 && recovery === "neither" && handle === null;
}

// Between the moment in which a call can be settled and the look that does it.
const settlingSeconds = 2 * 60;

// Until when, at the latest, the hold of a call that is followed is settled; null: the process that runs it has it in hand.
export function heldUntil(
  call: Pick<StoredCall, "isFollowed" | "begunAt" | "longestRunSeconds" | "recovery" | "handle">,
  rules: FollowRules = defaultFollowRules,
): Date | null {
  if (!call.isFollowed) return null;
  const canBeAsked = call.recovery !== "neither" || call.handle !== null;
  const seconds = rules.quarantineSeconds + settlingSeconds + (canBeAsked ? call.longestRunSeconds : 0);
  return new Date(call.begunAt.getTime() + seconds * 1000);
}

export function nextStep(
  call: Pick<StoredCall, "ageSeconds" | "longestRunSeconds" | "notFoundTimes" | "senderDeadSeconds">,
  finding: Finding,
  rules: FollowRules,
): NextStep {
  const { senderDeadSeconds } = call;
  const isQuarantined =
    call.ageSeconds < rules.quarantineSeconds && (senderDeadSeconds === null || senderDeadSeconds < rules.goneSeconds);
  // A call is not followed for ever: a day past its longest run it is suspense.
  const isHopeless = call.ageSeconds > call.longestRunSeconds + rules.quarantineSeconds;
  switch (finding.kind) {
    case "ended":
      return { kind: "finish" };
    case "parked":
      return { kind: "park" };
    case "gone":
      return { kind: "release" };
    case "running":
      return isHopeless ? { kind: "declare_unknown" } : { kind: "look_again", afterSeconds: rules.pollSeconds };
    case "not_found":
      if (isQuarantined) return { kind: "look_again", afterSeconds: rules.notFoundApartSeconds };
      if (call.notFoundTimes + 1 >= rules.notFoundTimes) return { kind: "release" };
      return { kind: "note_not_found", againSeconds: rules.notFoundApartSeconds };
    case "unreachable":
      return isHopeless
        ? { kind: "declare_unknown" }
        : { kind: "look_again", afterSeconds: rules.notFoundApartSeconds };
    case "cannot_ask":
      return isQuarantined
        ? { kind: "look_again", afterSeconds: rules.notFoundApartSeconds }
        : { kind: "declare_unknown" };
  }
}
