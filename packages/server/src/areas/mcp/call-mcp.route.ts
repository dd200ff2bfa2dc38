import { operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { Route } from "../../foundation/http/area.ts";
import type { AnswerMcpDeps } from "./answer-deps.ts";

const bodyBytesMax = 4 * 1024 * 1024;

// The protocol's library is loaded when the first agent connects.
export function callMcpRoute(deps: AnswerMcpDeps): Route<Principal> {
  return {
    operation: operations.callMcp,
    bodyBytesMax,
    handle: async (incoming) => (await import("./answer-mcp.ts")).answerMcp(deps, incoming),
  };
}
