import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export const runWorkRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/w/$provider/$name",
    component: lazyRouteComponent(() => import("./run-page.tsx"), "RunPage"),
  }),
] as const;
