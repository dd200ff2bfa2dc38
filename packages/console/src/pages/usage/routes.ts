import { pageRoute } from "../root-route.ts";
import { readUsageSearch } from "./usage-search.ts";

export const usageRoutes = [
  pageRoute("/console/usage", () => import("./usage-page.tsx"), "UsagePage", readUsageSearch),
] as const;
