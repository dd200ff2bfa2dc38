export { askIssuer } from "./ask-issuer.ts";
export { issuerAway } from "./issuer-documents.ts";
export { createOidc, type Oidc, type OidcFlow, type OidcRefusal, type OidcSettings } from "./oidc.ts";
