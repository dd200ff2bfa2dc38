import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { flag, integerFrom, searchReader, text, word } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const workflowRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/workflows",
    validateSearch: searchReader({
      // The job whose graph to run with changes.
      job: text(),
      example: text(),
      // One of the operator's templates.
      template: text(100),
      // A graph opened from a file, stored in this browser.
      draft: text(),
      // The node to start at.
      node: text(),
      // What the library shows.
      q: text(200),
      folder: text(800),
      tag: text(40),
      archived: flag,
    }),
    component: lazyRouteComponent(() => import("./workflows-page.tsx"), "WorkflowsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/workflows/$workflowId",
    // `from` and `to` are the versions to compare.
    validateSearch: searchReader({
      tab: word("history", "form"),
      from: integerFrom(1),
      to: integerFrom(1),
      node: text(),
    }),
    component: lazyRouteComponent(() => import("./saved-page.tsx"), "SavedPage"),
  }),
] as const;
