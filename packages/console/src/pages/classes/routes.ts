import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const classesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/classes",
  component: lazyRouteComponent(() => import("./classes-page.tsx"), "ClassesPage"),
});

export const classRoutes = [classesRoute] as const;
