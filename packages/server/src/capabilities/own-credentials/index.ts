export { createOwnCredentials, type OwnCredential, type OwnCredentials } from "./own-credentials.ts";
