import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchReader, word } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const memberRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/members",
    validateSearch: searchReader({ tab: word("services", "keeping") }),
    component: lazyRouteComponent(() => import("./members-page.tsx"), "MembersPage"),
  }),
] as const;
