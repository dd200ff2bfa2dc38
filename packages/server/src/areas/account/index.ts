export { type AccountDeps, accountAreas } from "./account-areas.ts";
export type { OidcSignIn } from "./signing-in/oidc.route.ts";
