export { askIssuer } from "./ask-issuer.ts";
export { createOidc, type Oidc, type OidcFlow } from "./oidc.ts";
