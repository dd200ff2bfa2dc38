import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/profile/api-keys",
  component: lazyRouteComponent(() => import("./keys-page.tsx"), "KeysPage"),
});

export const credentialsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/credentials",
  component: lazyRouteComponent(() => import("./credentials-page.tsx"), "CredentialsPage"),
});

export const keyRoutes = [keysRoute, credentialsRoute] as const;
