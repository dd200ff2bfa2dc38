import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { type JobTab, jobTabs, type StatusTab, statusTabs } from "./tabs.ts";

export interface JobsSearch {
  readonly status?: StatusTab;
  // A job's id, a label, or key=value pairs.
  readonly q?: string;
}

export interface JobSearch {
  readonly tab?: JobTab;
  readonly node?: string;
  // The job to compare with.
  readonly diff?: string;
}

export const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/jobs",
  validateSearch: (search: Record<string, unknown>): JobsSearch => ({
    ...(isOneOf(statusTabs, search["status"]) ? { status: search["status"] } : {}),
    ...textOf("q", search["q"]),
  }),
  component: lazyRouteComponent(() => import("./jobs-page.tsx"), "JobsPage"),
});

export const jobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/jobs/$jobId",
  validateSearch: (search: Record<string, unknown>): JobSearch => ({
    ...(isOneOf(jobTabs, search["tab"]) ? { tab: search["tab"] } : {}),
    ...textOf("node", search["node"]),
    ...textOf("diff", search["diff"]),
  }),
  component: lazyRouteComponent(() => import("./job-page.tsx"), "JobPage"),
});

export const jobRoutes = [jobsRoute, jobRoute] as const;

function isOneOf<Name extends string>(names: readonly Name[], value: unknown): value is Name {
  return names.some((name) => name === value);
}

// The router parses numbers and lists in an address; a label may look like one.
function textOf<Name extends string>(name: Name, value: unknown): { readonly [key in Name]?: string } {
  if (value === undefined || value === null || value === "") return {};
  return { [name]: typeof value === "object" ? JSON.stringify(value) : String(value) } as { [key in Name]: string };
}
