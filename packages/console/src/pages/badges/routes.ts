import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export interface BadgesSearch {
  readonly tab?: "preview" | "rows";
  readonly version?: string;
  readonly platform?: "local";
  readonly q?: string;
  // The node whose badge the previewer shows.
  readonly node?: string;
}

const textIn = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, 256) : undefined;

export const badgesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/badges",
  validateSearch: (given: Record<string, unknown>): BadgesSearch => {
    const { tab } = given;
    const [version, q, node] = [textIn(given["version"]), textIn(given["q"]), textIn(given["node"])];
    return {
      ...(tab === "preview" || tab === "rows" ? { tab } : {}),
      ...(version === undefined ? {} : { version }),
      ...(given["platform"] === "local" ? { platform: "local" } : {}),
      ...(q === undefined ? {} : { q }),
      ...(node === undefined ? {} : { node }),
    };
  },
  component: lazyRouteComponent(() => import("./badges-page.tsx"), "BadgesPage"),
});

export const badgeRoutes = [badgesRoute] as const;
