// What a running server finds out about itself.
import { type Example, time } from "./example.ts";

const check = {
  name: "provider",
  status: "warning",
  message: "example has no credential",
  advice: "set ATELIER_PROVIDER_EXAMPLE_KEY",
};

export const systemCheckExamples: Record<string, Example> = {
  SystemCheck: { good: check, broken: { name: "", status: "red", message: null, advice: 7 } },
  SystemCheckList: {
    good: { checked_at: time, version: "1.2.3", started_at: time, data: [check] },
    broken: { checked_at: "today", started_at: null, data: undefined },
  },
};
