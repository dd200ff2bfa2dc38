import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export interface ClassesSearch {
  readonly q?: string;
  readonly category?: string;
  // The class on display.
  readonly class?: string;
}

export const classesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/classes",
  validateSearch: (search: Record<string, unknown>): ClassesSearch => ({
    ...(search["q"] === undefined || search["q"] === "" ? {} : { q: String(search["q"]) }),
    ...(typeof search["category"] === "string" ? { category: search["category"] } : {}),
    ...(search["class"] === undefined ? {} : { class: String(search["class"]) }),
  }),
  component: lazyRouteComponent(() => import("./classes-page.tsx"), "ClassesPage"),
});

export const classRoutes = [classesRoute] as const;
