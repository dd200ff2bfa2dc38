import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchReader, text, word } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const templateRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/templates",
    validateSearch: searchReader({ q: text(200), category: text(100), state: word("runs", "key", "more") }),
    component: lazyRouteComponent(() => import("./templates-page.tsx"), "TemplatesPage"),
  }),
] as const;
