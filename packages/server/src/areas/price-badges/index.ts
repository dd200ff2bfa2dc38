export { parseAppVersion } from "./app-version.ts";
export { priceBadges, priceBadgesAdmin } from "./areas.ts";
export { type BadgeMaps, createBadgeMaps } from "./badge-maps.ts";
export { type BadgesFromPrices, badgesFromPrices } from "./badges-from-prices.ts";
export { retireSeed } from "./retire-seed.ts";
