import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export interface KeysSearch {
  // Whether the dialog for a new key is open.
  readonly new?: true;
  // Whether revoked and expired keys are listed too.
  readonly ended?: true;
}

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/profile/api-keys",
  validateSearch: (given: Record<string, unknown>): KeysSearch => ({
    ...(given["new"] ? { new: true } : {}),
    ...(given["ended"] ? { ended: true } : {}),
  }),
  component: lazyRouteComponent(() => import("./keys-page.tsx"), "KeysPage"),
});

export const credentialsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/credentials",
  component: lazyRouteComponent(() => import("./credentials-page.tsx"), "CredentialsPage"),
});

export const keyRoutes = [keysRoute, credentialsRoute] as const;
