import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { integerFrom, searchReader, text, word } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const workRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/works",
    validateSearch: searchReader({ q: text(200) }),
    component: lazyRouteComponent(() => import("./works-page.tsx"), "WorksPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/works/$name",
    validateSearch: searchReader({
      tab: word("versions", "links"),
      // The version that is compared with the one before it.
      compared: integerFrom(2),
      lang: word("typescript", "python", "cli"),
    }),
    component: lazyRouteComponent(() => import("./work-page.tsx"), "WorkPage"),
  }),
] as const;
