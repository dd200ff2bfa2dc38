import { searchReader, word } from "../../ui/search-params.ts";
import { pageRoute } from "../root-route.ts";

export const profileRoutes = [
  pageRoute("/console/you", () => import("./you-page.tsx"), "YouPage", searchReader({ tab: word("data") })),
] as const;
