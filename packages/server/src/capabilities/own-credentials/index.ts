export { credentialHoldings } from "./credential-holdings-store.ts";
export {
  type ActingOnCredentials,
  createOwnCredentials,
  type OwnCredential,
  type OwnCredentials,
  type OwnCredentialsDeps,
} from "./own-credentials.ts";
