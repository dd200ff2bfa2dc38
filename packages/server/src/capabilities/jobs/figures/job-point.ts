// The figures for the jobs of one step of time.
export interface JobSpan {
  readonly from: Date;
  readonly to: Date;
  readonly step: "minute" | "hour" | "day";
}

// Jobs that were submitted within one step.
export interface JobPoint {
  readonly at: Date;
  readonly submitted: number;
  readonly succeeded: number;
  // Or expired before they ended.
  readonly failed: number;
  readonly canceled: number;
  // From submission to the first start.
  readonly waitP50Ms: number | null;
  readonly waitP95Ms: number | null;
  // From the first start to success.
  readonly runP50Ms: number | null;
  readonly runP95Ms: number | null;
}
