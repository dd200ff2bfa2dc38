import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchReader, text } from "../../ui/search-params.ts";
import { pageRoute, rootRoute } from "../root-route.ts";

export const signInRoutes = [
  pageRoute(
    "/sign-in",
    () => import("./sign-in-page.tsx"),
    "SignInPage",
    searchReader({
      // Where the person was going.
      return_to: text(2_000),
      // Why signing in at the issuer failed, and the id of that request.
      problem: text(),
      request: text(),
    }),
  ),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/sign-in/$token",
    component: lazyRouteComponent(() => import("./link-page.tsx"), "LinkPage"),
  }),
] as const;
