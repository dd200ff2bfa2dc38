import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/jobs",
  component: lazyRouteComponent(() => import("./jobs-page.tsx"), "JobsPage"),
});

export const jobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/jobs/$jobId",
  component: lazyRouteComponent(() => import("./job-page.tsx"), "JobPage"),
});

export const jobRoutes = [jobsRoute, jobRoute] as const;
