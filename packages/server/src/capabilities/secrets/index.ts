export { adoptRing, findRingDisagreement } from "./agree-on-ring.ts";
export { type KeyRing, type LiveKeyRing, openKeyRing } from "./key-ring.ts";
export { lookAtRing, ringFinding } from "./look-at-ring.ts";
export { openRing } from "./open-ring.ts";
export { cursorsOf } from "./ring-cursors.ts";
export { allRingPurposes, isRingPurpose } from "./ring-purposes.ts";
export { newRingText } from "./ring-text.ts";
export { secretsOfRing } from "./ring-texts.ts";
export { createSealer, type SealContext, type Sealer } from "./seal.ts";
