import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { integerFrom, searchReader, text, word } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const nodeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/nodes",
    validateSearch: searchReader({
      tab: word("yours", "review"),
      show: word("flagged"),
      q: text(200),
      page: integerFrom(2),
      publisher: text(200),
    }),
    component: lazyRouteComponent(() => import("./nodes-page.tsx"), "NodesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/nodes/$nodeId",
    validateSearch: searchReader({ tab: word("classes", "readme", "versions"), version: text(200) }),
    component: lazyRouteComponent(() => import("./node-page.tsx"), "NodePage"),
  }),
] as const;
