import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readGallerySearch } from "./search.ts";

export const galleryRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/gallery",
    validateSearch: readGallerySearch,
    component: lazyRouteComponent(() => import("./gallery-page.tsx"), "GalleryPage"),
  }),
] as const;
