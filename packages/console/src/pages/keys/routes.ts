import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { flag, searchReader } from "../../ui/search-params.ts";
import { pageRoute, rootRoute } from "../root-route.ts";

export const keyRoutes = [
  // Whether the dialog for a new key is open, and whether revoked and expired keys are listed too.
  pageRoute("/profile/api-keys", () => import("./keys-page.tsx"), "KeysPage", searchReader({ new: flag, ended: flag })),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/credentials",
    component: lazyRouteComponent(() => import("./credentials-page.tsx"), "CredentialsPage"),
  }),
] as const;
