// Spec, v2 design rule 4: clients build no URLs, so they need one to start from.
import { operations, type WorkflowIndex } from "@atelier/contract";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { indexUrls } from "./links.ts";
import type { Surface, WorkflowCaller } from "./surface.ts";

export function getWorkflowIndexRoute(
  surface: Pick<Surface, "mountPath" | "executedGraph" | "folder">,
): Route<WorkflowCaller> {
  const body: WorkflowIndex = { version: "v2", urls: indexUrls(surface) };
  return route(operations.getWorkflowIndex, async () => jsonAnswer(200, body, { "cache-control": "no-store" }));
}
