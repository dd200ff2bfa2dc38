export { type AccountDeps, accountAreas } from "./account-areas.ts";
export { accountModels } from "./account-models.ts";
export { findErrors } from "./requests/find-errors.ts";
export { paymentEvents } from "./selling/receive-payment-event.route.ts";
export { type BrowserMembers, browserMembers } from "./signing-in/browser-members.ts";
export type { OidcSignIn } from "./signing-in/oidc.route.ts";
