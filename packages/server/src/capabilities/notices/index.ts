// What notices say, and where they go: alerts of budgets and odd hours, and decisions about node versions.
export { watchMoney } from "./alerts.ts";
export { versionNotices } from "./version-notices.ts";
