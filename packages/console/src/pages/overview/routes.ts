import { createRoute, redirect } from "@tanstack/react-router";
import { readRange } from "../../ui/range/range.ts";
import { pageRoute, rootRoute } from "../root-route.ts";

export const overviewRoutes = [
  pageRoute("/", () => import("./overview-page.tsx"), "OverviewPage", readRange),
  // What people type.
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console",
    beforeLoad: () => {
      throw redirect({ to: "/", search: {}, replace: true });
    },
  }),
] as const;
