export { type AccountDeps, accountAreas } from "./account-areas.ts";
export type { AccountCaller } from "./account-caller.ts";
