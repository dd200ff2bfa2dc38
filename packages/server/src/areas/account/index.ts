export { accountAreas } from "./account-areas.ts";
