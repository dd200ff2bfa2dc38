export { type CredentialRefusals, createCredentialRefusals } from "./credential-refusals.ts";
export type { StoredRefusal } from "./stored-refusal.ts";
