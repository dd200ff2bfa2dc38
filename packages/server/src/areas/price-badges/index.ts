export { type PriceBadgesAdminDeps, priceBadges, priceBadgesAdmin } from "./areas.ts";
export { type BadgeMaps, type BadgeMapsOptions, createBadgeMaps } from "./badge-maps.ts";
export { defaultBadgeCacheControl } from "./cache-control.ts";
export { seedBadges } from "./seed.ts";
