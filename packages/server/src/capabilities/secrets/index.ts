export { type AgreeOnRingDeps, adoptRing, findRingDisagreement } from "./agree-on-ring.ts";
export {
  type KeyRing,
  type KeyRingOptions,
  type LiveKeyRing,
  openKeyRing,
  type RingSecret,
} from "./key-ring.ts";
export { cursorsOf } from "./ring-cursors.ts";
export { allRingPurposes, isRingPurpose, type RingPurpose } from "./ring-purposes.ts";
export { createSealer, keyIdOf, type SealContext, type Sealer } from "./seal.ts";
