export type { AdminToken } from "./admin-token-store.ts";
export { type ActingAdmin, type AdminTokens, type AdminTokensDeps, createAdminTokens } from "./admin-tokens.ts";
export { type AdminCaller, actingAsAdmin, environmentName } from "./authenticate-admin.ts";
