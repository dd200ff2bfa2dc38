// The protocol's times at about 1/100. They keep the proportions of the real ones, which are what makes it safe. A call
// may be sent for `sendWithinMs` after its intent; a process that sleeps between that check and the sending sleeps at
// most `pauseMsMax`; a provider takes at most a second to know what it was sent. Their sum is below the quarantine,
// before which "not found" is not believed. For a process that was found gone, only the provider's second counts.
import type { FollowRules } from "../../src/capabilities/calls/index.ts";

export const scale = {
  leaseSeconds: 3,
  heartbeatSeconds: 0.5,
  sweepSeconds: 0.5,
  sendWithinMs: 1_000,
  lostAfterSeconds: 4,
  requestMs: 1_000,
  providerMs: 2_500,
  longestRunSeconds: 600,
  pauseMsMin: 3_300,
  pauseMsMax: 6_000,
} as const;

export const rules: FollowRules = {
  quarantineSeconds: 10,
  goneSeconds: 2,
  notFoundTimes: 2,
  notFoundApartSeconds: 0.5,
  pollSeconds: 0.2,
};
