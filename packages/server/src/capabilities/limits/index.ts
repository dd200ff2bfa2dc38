export { slotsOf } from "./call-slots.ts";
export { isLimitName, type LimitName, limitNames, limitTable } from "./limit-names.ts";
export { createLimits, type Limits, type WorkspaceLimit } from "./limits.ts";
export { spend } from "./rate.ts";
