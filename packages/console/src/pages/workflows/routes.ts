import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export interface WorkflowsSearch {
  // The job whose graph to run with changes.
  readonly job?: string;
  readonly example?: string;
  // A graph opened from a file, stored in this browser.
  readonly draft?: string;
  // The node to start at.
  readonly node?: string;
}

export const workflowsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/workflows",
  validateSearch: (search: Record<string, unknown>): WorkflowsSearch => ({
    ...(typeof search["job"] === "string" ? { job: search["job"] } : {}),
    ...(typeof search["example"] === "string" ? { example: search["example"] } : {}),
    ...(typeof search["draft"] === "string" ? { draft: search["draft"] } : {}),
    ...(search["node"] === undefined ? {} : { node: String(search["node"]) }),
  }),
  component: lazyRouteComponent(() => import("./workflows-page.tsx"), "WorkflowsPage"),
});

export const workflowRoutes = [workflowsRoute] as const;
