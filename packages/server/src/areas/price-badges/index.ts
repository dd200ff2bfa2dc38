export { type PriceBadgesAdminDeps, priceBadges, priceBadgesAdmin } from "./areas.ts";
export { type BadgeMaps, type BadgeMapsOptions, createBadgeMaps } from "./badge-maps.ts";
export { defaultBadgeCacheControl } from "./cache-control.ts";
export { type PricedRows, type PricedUse, pricedRows } from "./priced-rows.ts";
export { type RetireSeedDeps, retireSeed } from "./retire-seed.ts";
