// How PostgreSQL must plan the two batched statements. They are prepared once per connection and find every row by a key.
// Without these settings, a plan made while the tables were small keeps scanning them once they are large, and arrays of
// unknown length are planned again on every call: we measured 2,600 calls/s instead of 6,000 on an empty database.
export const callPlannerSettings = {
  enable_seqscan: "off",
  plan_cache_mode: "force_generic_plan",
  jit: "off",
} as const;
