// What keys are for, and how long something made under a key stays valid. After a rotation the old key verifies exactly
// that much longer. `null`: sealed data does not expire, so a seal key opens until an operator ends it.
const hour = 3600;

export const ringPurposes = {
  seal: { validitySeconds: null },
  cursor: { validitySeconds: 24 * hour },
  session: { validitySeconds: 30 * 24 * hour },
  // Six hours, plus five minutes for clock skew.
  "signed-url": { validitySeconds: 6 * hour + 300 },
  "identity-issuer": { validitySeconds: 24 * hour },
  webhook: { validitySeconds: 24 * hour },
  // The longest run of a partner task, plus an hour for its last callback.
  "partner-callback": { validitySeconds: 25 * hour },
  // A day, plus five minutes for clock skew.
  "storage-ticket": { validitySeconds: 24 * hour + 300 },
  "node-archive": { validitySeconds: 24 * hour + 300 },
  // Exports of workspaces say themselves whose they are, and an operator compares that.
  "workspace-export": { validitySeconds: null },
} as const satisfies Record<string, { validitySeconds: number | null }>;

export type RingPurpose = keyof typeof ringPurposes;

export function isRingPurpose(text: string): text is RingPurpose {
  return Object.hasOwn(ringPurposes, text);
}

export const allRingPurposes: readonly RingPurpose[] = Object.keys(ringPurposes).filter(isRingPurpose);
