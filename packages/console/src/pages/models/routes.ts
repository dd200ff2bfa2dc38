import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readCompareSearch, readModelSearch, readModelsSearch } from "./model-search.ts";

export const modelRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/models",
    validateSearch: readModelsSearch,
    component: lazyRouteComponent(() => import("./models-page.tsx"), "ModelsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/models/$provider/$model",
    validateSearch: readModelSearch,
    component: lazyRouteComponent(() => import("./model-page.tsx"), "ModelPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/compare",
    validateSearch: readCompareSearch,
    component: lazyRouteComponent(() => import("./compare-page.tsx"), "ComparePage"),
  }),
] as const;
