export { priceBadges, priceBadgesAdmin } from "./areas.ts";
export { type BadgeMaps, createBadgeMaps } from "./badge-maps.ts";
export { type PricedUse, pricedRows } from "./priced-rows.ts";
export { retireSeed } from "./retire-seed.ts";
