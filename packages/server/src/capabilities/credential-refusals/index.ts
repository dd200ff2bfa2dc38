export { type CredentialRefusals, createCredentialRefusals } from "./credential-refusals.ts";
export { lookAtRefusals } from "./look-at-refusals.ts";
export type { StoredRefusal } from "./stored-refusal.ts";
