import type { Example } from "./example.ts";

const setting = {
  name: "databasePoolSize",
  env: "ATELIER_DATABASE_POOL_SIZE",
  flag: "--database-pool-size",
  value: "32",
  default: "16",
  source: "environment",
  is_secret: false,
  about: "Database connections per process for transactions.",
};

export const settingExamples: Record<string, Example> = {
  EffectiveSetting: {
    good: setting,
    broken: { name: "", env: "", flag: "", value: 32, default: 16, source: "a file", is_secret: "no", about: null },
  },
  EffectiveSettingList: { good: { data: [setting] }, broken: { data: undefined } },
};
