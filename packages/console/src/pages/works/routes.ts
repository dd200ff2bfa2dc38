import { integerFrom, searchReader, text, word } from "../../ui/search-params.ts";
import { pageRoute } from "../root-route.ts";

export const workRoutes = [
  pageRoute("/console/works", () => import("./works-page.tsx"), "WorksPage", searchReader({ q: text(200) })),
  pageRoute(
    "/console/works/$name",
    () => import("./work-page.tsx"),
    "WorkPage",
    searchReader({
      tab: word("versions", "links"),
      // The version that is compared with the one before it.
      compared: integerFrom(2),
      lang: word("typescript", "python", "cli"),
    }),
  ),
] as const;
