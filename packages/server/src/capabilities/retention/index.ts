export type { KeepDays } from "./keep-days.ts";
export { createRetention, type Retention, type RetentionBounds, type ShownRetention } from "./retention.ts";
