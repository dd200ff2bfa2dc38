// How a job ends, from what the application said. Messages are for the person who submitted it: no path, address or
// traceback of that machine.
import type { JobEnding } from "../../jobs/index.ts";
import type { Accepted, ApplicationProblem } from "../application.ts";
import type { LeftOut } from "../classes/left-out-outputs.ts";
import { safeMessage } from "../line/safe-message.ts";
import type { HistoryEntry } from "./read-prompts.ts";

export function failed(
  code: string,
  message: string,
  isRetryable: boolean,
  nodeId: string | null = null,
  classType: string | null = null,
): JobEnding {
  const problem = {
    code,
    message: fit(message, messageCharactersMax),
    nodeId: nodeId === null ? null : fit(nodeId, nameCharactersMax),
    classType: classType === null ? null : fit(classType, nameCharactersMax),
  };
  return { kind: "failed", problem, isRetryable };
}

const messageCharactersMax = 1_000;
const nameCharactersMax = 255;

// Ids and classes come from the application. We cut and clean them, because an ending that cannot be stored is no ending.
const fit = (text: string, charactersMax: number) => text.slice(0, charactersMax).replaceAll("\0", "").toWellFormed();

// For a prompt that was not interrupted.
export function readEnding(entry: HistoryEntry, submittedNode: (nodeId: string) => string): JobEnding {
  if (entry.ending === "succeeded") {
    // The application reports on every run which nodes it reused, usually none.
    return { kind: "succeeded", outputsReused: entry.cachedNodes.length > 0, executedWorkflow: null };
  }
  const { nodeId, classType, exceptionType, message } = entry.failure ?? nothingSaid;
  const code = /OutOfMemory/i.test(exceptionType ?? "") ? "out_of_memory" : "node_execution_error";
  const text = safeMessage(message, "The node failed without a message.");
  return failed(code, text, false, nodeId === null ? null : submittedNode(nodeId), classType);
}

const nothingSaid = { nodeId: null, classType: null, exceptionType: null, message: null };

// A graph that the application refuses to run, wholly or in part.
export function refusedEnding(answer: Accepted): JobEnding {
  const [first] = answer.refused;
  const whole = answer.kind === "refused" ? answer.message : "The application would run only part of the graph.";
  if (first === undefined) return failed("invalid_workflow", whole, false);
  const [nodeId, { classType, message }] = first;
  const more = answer.refused.size > 1 ? ` ${answer.refused.size} nodes have problems.` : "";
  return failed(
    "invalid_workflow",
    `Node ${nodeId.slice(0, 64)} cannot run: ${message}${more}`,
    false,
    nodeId,
    classType,
  );
}

// The same, noticed later: we know which nodes the application left out, but not why.
export function partEnding(leftOut: readonly LeftOut[]): JobEnding {
  const [first] = leftOut;
  const more = leftOut.length > 1 ? ` ${leftOut.length} output nodes were left out.` : "";
  const message = `The application would run only part of the graph: node ${first?.nodeId.slice(0, 64) ?? ""} cannot run.${more}`;
  return failed("invalid_workflow", message, false, first?.nodeId ?? null, first?.classType ?? null);
}

export function problemEnding({ code }: ApplicationProblem): JobEnding {
  switch (code) {
    case "unreachable":
      return failed("application_unreachable", "The application that runs this job cannot be reached.", true);
    case "garbage":
      return failed("application_error", "The application sent answers that could not be understood.", true);
    case "too_large":
      return failed("input_too_large", "A file that the graph loads is too large for the application.", false);
    case "closed":
      return failed("application_unreachable", "The connection to the application was closed.", true);
  }
}
