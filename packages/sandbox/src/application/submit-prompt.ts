// POST /prompt: counted, validated, and queued if at least one output can run. Errors use the application's words, which differ
// from the engine's in places: an unknown class names no node, a link to nowhere is an exception.
import { randomUUID } from "node:crypto";
import {
  type ClassDescriptions,
  type Graph,
  type GraphProblem,
  type NodeProblems,
  validateGraph,
} from "@atelier/engine";
import { isMembers } from "../models/exact-json.ts";
import type { Prompt } from "./prompt.ts";

interface Submission {
  readonly body: Readonly<Record<string, unknown>>;
  // The counter's value for this submission; refused ones consume theirs.
  readonly counter: number;
  readonly version: "old" | "new";
  readonly classes: ClassDescriptions;
  readonly isFile: (name: string) => boolean;
  readonly nowMs: number;
}

export interface Verdict {
  readonly status: 200 | 400;
  readonly answer: Readonly<Record<string, unknown>>;
  // null if nothing will run.
  readonly prompt: Prompt | null;
}

export const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function judgeSubmission(submission: Submission): Verdict {
  const { body, counter, version } = submission;
  const { number: given, front, prompt_id: givenId } = body;
  const number = typeof given === "number" ? given : front === true ? -counter : counter;
  if (!("prompt" in body)) return refused("no_prompt", "No prompt provided", "No prompt provided");
  const id = typeof givenId === "string" && givenId !== "" ? givenId : randomUUID();
  if (version === "new" && !canonicalUuid.test(id))
    return refused("invalid_prompt_id", "The prompt id is not a canonical UUID", id.slice(0, 100));
  const { partial_execution_targets: targets } = body;
  const verdict = validateGraph(body["prompt"], {
    classes: submission.classes,
    fileExists: submission.isFile,
    ...(isTexts(targets) ? { outputs: targets } : {}),
  });
  const nodeErrors = verdict.problem?.type === "invalid_prompt" ? {} : inItsWords(verdict.nodeErrors);
  if (verdict.outputs.length === 0 || !isGraph(body["prompt"])) {
    const { type = "no_prompt", message = "", details = "" } = verdict.problem ?? {};
    const thrown = Object.values(nodeErrors).flatMap(({ errors }) => errors.filter(isException));
    const reasons = thrown.map((error) => `${error.message}: ${error.details}`).join("\n");
    return refused(type, message, details || reasons, nodeErrors);
  }
  const extra = isMembers(body["extra_data"]) ? body["extra_data"] : {};
  const clientId = body["client_id"] ?? extra["client_id"];
  const extraData = {
    ...extra,
    ...(typeof clientId === "string" ? { client_id: clientId } : {}),
    ...(version === "new" ? { create_time: submission.nowMs } : {}),
  };
  return {
    status: 200,
    answer: { prompt_id: id, number, node_errors: nodeErrors },
    prompt: {
      number,
      id,
      graph: body["prompt"],
      extraData,
      outputs: verdict.outputs,
      clientId: typeof clientId === "string" ? clientId : null,
      createdAtMs: submission.nowMs,
    },
  };
}

function refused(
  type: string,
  message: string,
  details: string,
  nodeErrors: Readonly<Record<string, NodeProblems>> = {},
): Verdict {
  const error = { type, message, details, extra_info: {} };
  return { status: 400, answer: { error, node_errors: nodeErrors }, prompt: null };
}

const isException = ({ type }: GraphProblem) => type === "exception_during_validation";

function inItsWords(nodeErrors: Readonly<Record<string, NodeProblems>>): Record<string, NodeProblems> {
  return Object.fromEntries(
    Object.entries(nodeErrors).map(([id, found]) => [id, { ...found, errors: found.errors.map(asException) }]),
  );
}

// The application does not expect a link to a missing node or output, and its traceback names the machine's files.
function asException(error: GraphProblem): GraphProblem {
  const missing = /there is no node '(.*)'$/.exec(error.message);
  if (error.type !== "bad_linked_input" || !(missing || /has no output \d+$/.test(error.message))) return error;
  return {
    type: "exception_during_validation",
    message: "Exception when validating node",
    details: missing ? `'${missing[1] ?? ""}'` : "tuple index out of range",
    extra_info: {
      exception_type: missing ? "KeyError" : "IndexError",
      traceback: ['  File "/srv/application/execution.py", line 1010, in validate_prompt\n    validate(prompt)\n'],
    },
  };
}

// Only what the validator accepted gets here.
function isGraph(value: unknown): value is Graph {
  return isMembers(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
