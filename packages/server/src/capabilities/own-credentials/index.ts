export {
  type ActingOnCredentials,
  createOwnCredentials,
  type OwnCredential,
  type OwnCredentials,
  type OwnCredentialsDeps,
} from "./own-credentials.ts";
