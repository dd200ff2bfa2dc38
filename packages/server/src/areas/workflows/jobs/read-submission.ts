// Parses the body of a submission in the decided order: JSON, format, fields (decisions, section 6). Nothing is looked up here.
// Unknown members are ignored, except in extra_data, which holds a credential.
import { limits } from "@atelier/contract";
import type { JobMetadata, OutputTarget } from "../../../capabilities/jobs/index.ts";
import { Fault, wrongField } from "../../../foundation/fault.ts";
import { checkTarget, type EgressPolicy, type EgressRefusal } from "../../../foundation/http/outgoing/egress-guard.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import type { ReadJson, ReadJsonOptions } from "../../../foundation/json/read-json.ts";
import { requireGraphNames } from "./graph-names.ts";
import { judgeMetadata } from "./job-metadata.ts";
import { readOutputTarget } from "./read-output-target.ts";

export interface Submission {
  readonly workflow: JsonRecord;
  // JSON pointer within the workflow → exact digits.
  readonly exactIntegers: ReadonlyMap<string, string>;
  readonly webhookUrl: string | null;
  readonly metadata: JobMetadata | null;
  readonly priority: number;
  readonly extraData: Readonly<Record<string, string>> | null;
  readonly outputTarget: OutputTarget | null;
  // Hash of the canonical body without extra_data.
  readonly fingerprint: Buffer;
}

export interface ReadSubmissionDeps {
  readonly egress: { readonly webhooks: EgressPolicy; readonly outputs: EgressPolicy };
}

// Room for a graph of 10,000 nodes with 25 inputs each, and for a seed in every one of them. Anything larger is refused before
// it is traversed: a graph is made of nodes, and large things in it are texts or assets. Decisions, section 6: the key is
// compared by the canonical body without extra_data, which is secret; so is an output target.
export const graphReading: ReadJsonOptions = {
  limits: { keysMax: 250_000, valuesMax: 250_000, exactMax: 10_000 },
  unhashed: ["extra_data", "output_target"],
};

export function readSubmission(deps: ReadSubmissionDeps, { value, exactIntegers, hash }: ReadJson): Submission {
  if (!isRecord(value)) throw new Fault("invalid_request", "The body must be a JSON object.");
  const { workflow } = value;
  if (!isRecord(workflow)) throw wrongField("workflow", "must be a JSON object of nodes by id");
  requireFewNodes(workflow);
  requireGraphNames(workflow);
  // Some writers use null to leave a member out.
  if (value["inputs"] !== undefined && value["inputs"] !== null)
    throw wrongField("inputs", "can only be sent with a work");
  return {
    workflow,
    exactIntegers: below("/workflow", exactIntegers),
    metadata: readMetadata(value["metadata"]),
    priority: readPriority(value["priority"]),
    webhookUrl: readWebhookUrl(value["webhook_url"], deps.egress.webhooks),
    extraData: readExtraData(value["extra_data"]),
    outputTarget: readTarget(value["output_target"], deps.egress.outputs),
    fingerprint: Buffer.from(hash),
  };
}

// The engine's own limit.
const nodesMax = 10_000;

// The same message as graph validation gives, which would get to it only after several passes over all nodes.
export function requireFewNodes(workflow: JsonRecord): void {
  const count = Object.keys(workflow).length;
  if (count <= nodesMax) return;
  const problem = {
    type: "graph_too_large",
    message: "The graph has too many nodes",
    details: `${count} nodes, at most ${nodesMax}`,
    extra_info: {},
  };
  const message = `The workflow cannot run: ${problem.message}.`;
  throw new Fault("validation_failed", message, { details: { node_errors: {}, problem } });
}

export function below(pointer: string, all: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (all.size === 0) return all;
  const start = `${pointer}/`;
  return new Map(
    [...all].filter(([at]) => at.startsWith(start)).map(([at, digits]) => [at.slice(pointer.length), digits]),
  );
}

function readMetadata(given: unknown): JobMetadata | null {
  if (given === undefined) return null;
  const verdict = judgeMetadata(given);
  if (!verdict.ok && isRecord(given))
    throw new Fault("metadata_invalid", `metadata ${verdict.problem}.`, { details: { field: "metadata" } });
  if (!verdict.ok) throw wrongField("metadata", verdict.problem);
  return verdict.metadata;
}

function readPriority(given: unknown): number {
  if (given === undefined) return 0;
  const { jobPriorityMin: min, jobPriorityMax: max } = limits;
  if (typeof given !== "number" || !Number.isInteger(given) || given < min || given > max) {
    throw wrongField("priority", `must be a whole number from ${min} to ${max}`);
  }
  return given === 0 ? 0 : given;
}

const refusals: Readonly<Record<EgressRefusal, string>> = {
  too_long: "is too long",
  malformed: "must be a URL",
  scheme: "must begin with https://",
  userinfo: "must not contain a user name or password",
  port: "has a port that is not allowed",
  name: "must name a public host",
  address: "must be a public address",
};

// Checked by its text alone; what the name resolves to is checked when it is called.
function readWebhookUrl(given: unknown, egress: EgressPolicy): string | null {
  if (given === undefined) return null;
  if (typeof given !== "string") throw wrongField("webhook_url", "must be a string");
  const verdict = checkTarget(given, egress);
  if (!verdict.ok) throw wrongField("webhook_url", refusals[verdict.reason]);
  return given;
}

function readTarget(given: unknown, egress: EgressPolicy): OutputTarget | null {
  if (given === undefined) return null;
  const reading = readOutputTarget(given, egress);
  if (!reading.ok) throw wrongField(reading.field, reading.problem);
  return reading.target;
}

const secretCharactersMax = 4096;

function readExtraData(given: unknown): Readonly<Record<string, string>> | null {
  if (given === undefined) return null;
  if (!isRecord(given)) throw new Fault("invalid_request", "extra_data must be a JSON object.");
  const { api_key_service: key, ...unknown } = given;
  if (Object.keys(unknown).length > 0) {
    throw new Fault("invalid_request", "extra_data may only contain api_key_service.");
  }
  if (key === undefined) return null;
  if (typeof key !== "string" || key === "" || key.length > secretCharactersMax) {
    throw new Fault(
      "invalid_request",
      `extra_data.api_key_service must be a string of 1 to ${secretCharactersMax} characters.`,
    );
  }
  return { api_key_service: key };
}
