import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { flag, searchReader } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const keyRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/profile/api-keys",
    // Whether the dialog for a new key is open, and whether revoked and expired keys are listed too.
    validateSearch: searchReader({ new: flag, ended: flag }),
    component: lazyRouteComponent(() => import("./keys-page.tsx"), "KeysPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/credentials",
    component: lazyRouteComponent(() => import("./credentials-page.tsx"), "CredentialsPage"),
  }),
] as const;
