import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("./sign-in-page.tsx"), "SignInPage"),
});

export const linkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in/$token",
  component: lazyRouteComponent(() => import("./link-page.tsx"), "LinkPage"),
});

export const signInRoutes = [signInRoute, linkRoute] as const;
