export { limitHoldings } from "./limit-holdings-store.ts";
export {
  isLimitName,
  type LimitKind,
  type LimitName,
  limitNames,
  limitTable,
  type QuotaName,
  type RateFamily,
  rateFamilies,
} from "./limit-names.ts";
export { createLimits, type Limits, type LimitsOptions, type WorkspaceLimit } from "./limits.ts";
