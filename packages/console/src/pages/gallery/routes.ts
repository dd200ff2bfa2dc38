import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const galleryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/gallery",
  component: lazyRouteComponent(() => import("./gallery-page.tsx"), "GalleryPage"),
});

export const galleryRoutes = [galleryRoute] as const;
