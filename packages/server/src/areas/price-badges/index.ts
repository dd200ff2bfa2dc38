export { priceBadges, priceBadgesAdmin } from "./areas.ts";
export { type BadgeMaps, createBadgeMaps } from "./badge-maps.ts";
export { type BadgesOfPrices, badgesOfPrices } from "./badges-of-prices.ts";
export { retireSeed } from "./retire-seed.ts";
