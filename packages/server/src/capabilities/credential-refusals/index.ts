export { type CredentialRefusals, createCredentialRefusals } from "./credential-refusals.ts";
export { listRefusals, type StoredRefusal } from "./refusal-store.ts";
