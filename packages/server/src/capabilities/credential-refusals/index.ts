export { type CredentialRefusals, createCredentialRefusals } from "./credential-refusals.ts";
export type { StoredRefusal } from "./refusal-store.ts";
