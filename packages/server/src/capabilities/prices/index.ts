export { badgeOf, type NodeInputs } from "./badge-of.ts";
export { badgeOfChoice, type ChoosingBadge, type ChoosingNode, type PricedCase } from "./badge-of-node.ts";
export {
  creditsText,
  type Decimal,
  decimalOf,
  decimalText,
  microCreditsOf,
  parseCredits,
} from "./money.ts";
export { charge, type Facts, holdBound, isCostly, type Price, priceOf, shortfall } from "./price.ts";
export { PriceDefinition, PriceFormat, type PriceTerm } from "./price-definition.ts";
export type { PriceRecord, PriceRecordId } from "./price-store.ts";
export { priceWords } from "./price-words.ts";
export { pricedInput } from "./priced-input.ts";
export { createPrices, type EnsuredPrice, type Prices, type PricesOptions } from "./prices.ts";
export { parseSubject, type Subject } from "./subject.ts";
export { type ValidatedPrice, validatePrice } from "./validate-price.ts";
