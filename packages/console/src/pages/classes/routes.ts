import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchReader, text } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const classRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/classes",
    // `class` is the one on display.
    validateSearch: searchReader({ q: text(), category: text(), class: text() }),
    component: lazyRouteComponent(() => import("./classes-page.tsx"), "ClassesPage"),
  }),
] as const;
