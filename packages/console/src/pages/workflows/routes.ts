import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchReader, text } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const workflowsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/workflows",
  validateSearch: searchReader({
    // The job whose graph to run with changes.
    job: text(),
    example: text(),
    // A graph opened from a file, stored in this browser.
    draft: text(),
    // The node to start at.
    node: text(),
  }),
  component: lazyRouteComponent(() => import("./workflows-page.tsx"), "WorkflowsPage"),
});

export const workflowRoutes = [workflowsRoute] as const;
