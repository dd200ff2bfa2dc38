import { operations, type WorkflowHealth } from "@atelier/contract";
import { jsonAnswer, type Route } from "../../foundation/http/area.ts";

export function getWorkflowHealthRoute(health: () => WorkflowHealth): Route<undefined> {
  return {
    operation: operations.getWorkflowHealth,
    isAlwaysAnswered: true,
    handle: () => jsonAnswer(200, health(), { "cache-control": "no-store" }),
  };
}
