import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export const membersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/members",
  component: lazyRouteComponent(() => import("./members-page.tsx"), "MembersPage"),
});

export const memberRoutes = [membersRoute] as const;
