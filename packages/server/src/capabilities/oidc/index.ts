export { type AskIssuer, issuerAway } from "./issuer-documents.ts";
export { createOidc, type Oidc, type OidcFlow, type OidcRefusal, type OidcSettings } from "./oidc.ts";
