export { createRetention, type Retention, type RetentionBounds, type ShownRetention } from "./retention.ts";
export type { KeepDays } from "./retention-store.ts";
