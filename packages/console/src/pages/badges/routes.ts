import { pageRoute } from "../root-route.ts";
import { readBadgesSearch } from "./badges-search.ts";

export const badgeRoutes = [
  pageRoute("/console/badges", () => import("./badges-page.tsx"), "BadgesPage", readBadgesSearch),
] as const;
