export { type AccountDeps, accountAreas } from "./account-areas.ts";
export type { OidcSignIn } from "./oidc.route.ts";
