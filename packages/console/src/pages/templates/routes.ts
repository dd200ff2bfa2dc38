import { searchReader, text, word } from "../../ui/search-params.ts";
import { pageRoute } from "../root-route.ts";

export const templateRoutes = [
  pageRoute(
    "/console/templates",
    () => import("./templates-page.tsx"),
    "TemplatesPage",
    searchReader({ q: text(200), category: text(100), state: word("runs", "key", "more") }),
  ),
] as const;
