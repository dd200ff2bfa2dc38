export { credentialHoldings } from "./credential-holdings-store.ts";
export { createOwnCredentials, type OwnCredential, type OwnCredentials } from "./own-credentials.ts";
