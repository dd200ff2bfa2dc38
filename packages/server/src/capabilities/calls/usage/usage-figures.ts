// Aggregated usage, as charts and tables show it.
export type UsageStep = "minute" | "hour" | "day";

export type UsageGrouping = "none" | "subject" | "outcome" | "api_key_id" | "family" | "tag" | "end_user";

export interface UsageSums {
  readonly calls: number;
  readonly failures: number;
  readonly replays: number;
  // Micro-credits.
  readonly credits: bigint;
}

export interface UsageTimes {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface UsagePoint extends UsageSums, UsageTimes {
  readonly at: Date;
  // Null for everything that has no group of its own.
  readonly key: string | null;
}

export interface UsageSeries {
  readonly points: readonly UsagePoint[];
  readonly groups: readonly (UsageSums & { readonly key: string | null })[];
  readonly total: UsageSums & UsageTimes;
}

export interface FailureGroup {
  readonly outcome: string;
  readonly subject: string;
  readonly status: number | null;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly credits: bigint;
  readonly lastRequestId: string | null;
}

export interface FailureGroups {
  readonly groups: readonly FailureGroup[];
  readonly total: { readonly count: number; readonly groups: number; readonly credits: bigint };
}

export interface ModelFigures {
  readonly model: string;
  readonly calls: number;
  readonly successes: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly lastAt: Date;
}
