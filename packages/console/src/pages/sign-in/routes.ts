import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export interface SignInSearch {
  // Where the person was going.
  readonly return_to?: string;
  // Why signing in at the issuer failed, and the id of that request.
  readonly problem?: string;
  readonly request?: string;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): SignInSearch => {
    const [return_to, problem, request] = [search["return_to"], search["problem"], search["request"]].map(textOf);
    return { ...(return_to ? { return_to } : {}), ...(problem ? { problem } : {}), ...(request ? { request } : {}) };
  },
  component: lazyRouteComponent(() => import("./sign-in-page.tsx"), "SignInPage"),
});

export const linkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in/$token",
  component: lazyRouteComponent(() => import("./link-page.tsx"), "LinkPage"),
});

export const signInRoutes = [signInRoute, linkRoute] as const;
