// How long a workspace keeps things.
import { type Example, time } from "./example.ts";

const days = { outputs_days: 90, uploads_days: null, history_days: 365 };
const aged = { things: 3, bytes: 1_200_000 };

export const retentionExamples: Record<string, Example> = {
  SetRetention: { good: days, broken: { outputs_days: 0, uploads_days: "never", history_days: 0.5 } },
  Retention: {
    good: { ...days, days_min: 1, days_max: null, changed_at: time, applies_at: time },
    broken: { outputs_days: 4_000, days_min: 0, days_max: 0, changed_at: "today", applies_at: 1 },
  },
  RetentionEstimate: {
    good: { outputs: aged, uploads: aged, history: { things: 0, bytes: 0 }, applies_at: time },
    broken: { outputs: null, uploads: { things: -1, bytes: 0 }, history: {}, applies_at: null },
  },
};
