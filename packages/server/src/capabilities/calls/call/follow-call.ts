// Decides what to do with a call whose owner is gone or whose caller went away: ask the provider, repeat the request under
// our id, or wait out the quarantine. We believe "not found" only after the quarantine, and only twice, half a minute apart:
// before that the old owner may still be about to send (it checks its own clock before it does). If we found that process
// gone, a minute is enough, because it will not send anything. Pure: the table test is the policy.
import type { StoredCall } from "./stored-call.ts";

// What a provider says about the work we requested under our id.
export type Finding =
  | { readonly kind: "ended" }
  | { readonly kind: "running" }
  | { readonly kind: "not_found" }
  | { readonly kind: "unreachable" }
  // Something else ends it: a task that its area follows.
  | { readonly kind: "parked" }
  // The provider lived and died with the process that called it, so its work is lost.
  | { readonly kind: "gone" }
  // We can neither ask the provider nor repeat the request, and it gave us no handle.
  | { readonly kind: "cannot_ask" };

export type NextStep =
  | { readonly kind: "finish" }
  | { readonly kind: "release" }
  | { readonly kind: "park" }
  | { readonly kind: "declare_unknown" }
  | { readonly kind: "note_not_found"; readonly againSeconds: number }
  | { readonly kind: "look_again"; readonly afterSeconds: number };

export interface FollowRules {
  // A call's deadline + the provider's grace + the longest pause of one of our processes.
  readonly quarantineSeconds: number;
  // The same once the sender was found gone. Covers requests that were in transit at that point.
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

// A call that will end `unknown` once its quarantine is over: a process took it over (its fence rose), and its provider can
// neither be asked nor polled. The call has to wait for that; callers that wait for it do not.
export function isUnknowable({ fence, recovery, handle }: Pick<StoredCall, "fence" | "recovery" | "handle">): boolean {
  return fence > 1 && recovery === "neither" && handle === null;
}

// Time between the moment a call can be settled and the look that settles it.
const settlingSeconds = 2 * 60;

// The latest time at which a followed call's hold is settled. Null while the process that runs the call still has it.
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
  // We do not follow a call for ever: past its longest run plus the quarantine it becomes suspense.
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
