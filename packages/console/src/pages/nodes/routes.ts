import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export interface NodesSearch {
  readonly tab?: "yours";
  readonly q?: string;
  readonly page?: number;
  readonly publisher?: string;
}

export interface NodeSearch {
  readonly tab?: "classes";
  readonly version?: string;
}

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;

export const nodesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/nodes",
  validateSearch: (given: Record<string, unknown>): NodesSearch => {
    const [q, publisher, page] = [textIn(given["q"]), textIn(given["publisher"]), Number(given["page"])];
    return {
      ...(given["tab"] === "yours" ? { tab: "yours" } : {}),
      ...(q === undefined ? {} : { q }),
      ...(Number.isInteger(page) && page > 1 ? { page } : {}),
      ...(publisher === undefined ? {} : { publisher }),
    };
  },
  component: lazyRouteComponent(() => import("./nodes-page.tsx"), "NodesPage"),
});

export const nodeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/nodes/$nodeId",
  validateSearch: (given: Record<string, unknown>): NodeSearch => {
    const version = textIn(given["version"]);
    return {
      ...(given["tab"] === "classes" ? { tab: "classes" } : {}),
      ...(version === undefined ? {} : { version }),
    };
  },
  component: lazyRouteComponent(() => import("./node-page.tsx"), "NodePage"),
});

export const nodeRoutes = [nodesRoute, nodeRoute] as const;
