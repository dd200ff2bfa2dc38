import { searchReader, word } from "../../ui/search-params.ts";
import { pageRoute } from "../root-route.ts";

export const planRoutes = [
  pageRoute("/console/plans", () => import("./plans-page.tsx"), "PlansPage", searchReader({ tab: word("sales") })),
] as const;
