import { pageRoute } from "../root-route.ts";
import { readGallerySearch } from "./search.ts";

export const galleryRoutes = [
  pageRoute("/console/gallery", () => import("./gallery-page.tsx"), "GalleryPage", readGallerySearch),
] as const;
