import { searchReader, text } from "../../ui/search-params.ts";
import { pageRoute } from "../root-route.ts";

export const classRoutes = [
  // `class` is the one on display.
  pageRoute(
    "/console/classes",
    () => import("./classes-page.tsx"),
    "ClassesPage",
    searchReader({ q: text(), category: text(), class: text() }),
  ),
] as const;
