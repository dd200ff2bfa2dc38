import { flag, integerFrom, searchReader, text, word } from "../../ui/search-params.ts";
import { pageRoute } from "../root-route.ts";

export const workflowRoutes = [
  pageRoute(
    "/console/workflows",
    () => import("./workflows-page.tsx"),
    "WorkflowsPage",
    searchReader({
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
  ),
  // `from` and `to` are the versions to compare.
  pageRoute(
    "/console/workflows/$workflowId",
    () => import("./saved-page.tsx"),
    "SavedPage",
    searchReader({
      tab: word("history", "form"),
      from: integerFrom(1),
      to: integerFrom(1),
      node: text(),
    }),
  ),
] as const;
