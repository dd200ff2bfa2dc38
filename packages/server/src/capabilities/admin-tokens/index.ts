// For the registry, which moves at this moment; goes with it.
export { type AdminCaller, type AdminTokens, actingAsAdmin } from "../tokens/index.ts";
