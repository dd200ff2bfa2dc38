// Fault → the application's error body: {error: {type, message, details, extra_info}, node_errors}. An invalid graph is 400
// there, with the messages that our graph validation already uses.
import type { GraphProblem } from "../../capabilities/graphs/index.ts";
import type { Fault } from "../../foundation/fault.ts";
import { type Envelope, jsonAnswer } from "../../foundation/http/area.ts";
import { isRecord } from "../../foundation/json/json-record.ts";

export const applicationEnvelope: Envelope = (fault) => {
  const { problem, node_errors: nodeErrors = {} } = isRecord(fault.details) ? fault.details : {};
  const hasNodes = isRecord(nodeErrors) && Object.keys(nodeErrors).length > 0;
  const error = isProblem(problem) ? problem : hasNodes ? failedOutputs : problemOf(fault);
  return jsonAnswer(statusOf(fault), { error, node_errors: nodeErrors });
};

const failedOutputs: GraphProblem = {
  type: "prompt_outputs_failed_validation",
  message: "Prompt outputs failed validation",
  details: "",
  extra_info: {},
};

function problemOf({ code, message, details }: Fault): GraphProblem {
  const type = isRecord(details) && typeof details["type"] === "string" ? details["type"] : code;
  return { type, message, details: "", extra_info: {} };
}

function isProblem(value: unknown): value is GraphProblem {
  return isRecord(value) && typeof value["type"] === "string" && typeof value["message"] === "string";
}

// The application's clients know one status for requests that they have to change.
const statusOf = ({ status }: Fault): number => (status === 422 ? 400 : status);
