import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchReader, text, word } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";
import { jobTabs, statusTabs } from "./tabs.ts";

export const jobRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/jobs",
    // A job's id, a label, or key=value pairs.
    validateSearch: searchReader({ status: word(...statusTabs), q: text() }),
    component: lazyRouteComponent(() => import("./jobs-page.tsx"), "JobsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/jobs/$jobId",
    // `diff` is the job to compare with.
    validateSearch: searchReader({ tab: word(...jobTabs), node: text(), diff: text() }),
    component: lazyRouteComponent(() => import("./job-page.tsx"), "JobPage"),
  }),
] as const;
