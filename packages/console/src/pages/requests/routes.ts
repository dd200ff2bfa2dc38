import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { type RangeSearch, readRange } from "../../ui/range/range.ts";

export interface RequestsSearch extends RangeSearch {
  readonly family?: "model" | "partner" | "node" | "job" | undefined;
  readonly subject?: string | undefined;
  // `failed`: whatever went wrong; `replayed`; else one outcome.
  readonly outcome?: string | undefined;
  readonly key?: string | undefined;
  // The request that is opened beside the list.
  readonly peek?: string | undefined;
  readonly tail?: true | undefined;
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, 300) : undefined);
const families = ["model", "partner", "node", "job"] as const;

export const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/requests",
  validateSearch: (search: Record<string, unknown>): RequestsSearch => ({
    ...readRange(search),
    family: families.find((known) => known === search["family"]),
    subject: text(search["subject"]),
    outcome: text(search["outcome"]),
    key: text(search["key"]),
    peek: text(search["peek"]),
    tail: search["tail"] === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import("./requests-page.tsx"), "RequestsPage"),
});

export const requestRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/requests/$requestId",
  component: lazyRouteComponent(() => import("./request-page.tsx"), "RequestPage"),
});

export const requestRoutes = [requestsRoute, requestRoute] as const;
