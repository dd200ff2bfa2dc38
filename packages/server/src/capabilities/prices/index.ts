export { makeChoiceBadge } from "./choice-badge.ts";
export { editorBadges } from "./editor-badge.ts";
export { badgeShowing, makeBadge, type NodeInputs, reference } from "./make-badge.ts";
export { aboveLimit, readMaxCredits } from "./max-credits.ts";
export { creditsText, decimalText, parseCredits, parseDecimal, toMicroCredits } from "./money.ts";
export {
  charge,
  type Facts,
  freePrice,
  holdBound,
  isCostly,
  lowestCharge,
  type Price,
  priceOf,
  shortfall,
} from "./price.ts";
export { priceChecks } from "./price-checks.ts";
export { PriceDefinition } from "./price-definition.ts";
export { priceParts } from "./price-parts.ts";
export { priceWords } from "./price-words.ts";
export { pricedInput } from "./priced-input.ts";
export { type PricedNode, type PricedUse, usesOfModels, usesOfPartners, withOtherNames } from "./priced-uses.ts";
export { createPrices, type Prices } from "./prices.ts";
export { dollarRange, makeRangeBadge } from "./range-badge.ts";
export { Unsure } from "./read-input.ts";
export { parseSubject } from "./subject.ts";
export { validatePrice } from "./validate-price.ts";
