export { type AccountDeps, accountAreas } from "./account-areas.ts";
