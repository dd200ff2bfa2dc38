// Adds their names to the JSON of answers beside ours, and the shapes that only they have. Additions go beside what the
// contract names, so that each client finds its own; only a value that can have just one spelling follows the path of the
// request.
import type { IncomingHttpHeaders } from "node:http";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";
import { theirKey } from "./keys.ts";
import { memberNames, namesUnderTheirPath, policyWords } from "./names.ts";

// What an answer can depend on besides its own body.
export interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly isTheirs: boolean;
}

export type RespellAnswer = (body: JsonRecord, asked: Asked) => unknown;

const theirNames = new Map([...memberNames].map(([theirs, ours]) => [ours, theirs]));

export const registryAnswer: RespellAnswer = (body, { isTheirs }) => withTheirNames(body, isTheirs);

function withTheirNames(value: unknown, isTheirs: boolean): unknown {
  if (Array.isArray(value)) return value.map((entry) => withTheirNames(entry, isTheirs));
  if (!isRecord(value)) return value;
  const named: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const respelled = withTheirNames(isTheirs && name === policyWords.member ? theirPolicy(inner) : inner, isTheirs);
    named.push([name, respelled]);
    const theirs = theirNames.get(name);
    if (theirs !== undefined && (isTheirs || !namesUnderTheirPath.has(theirs))) named.push([theirs, respelled]);
  }
  return Object.fromEntries(named);
}

function theirPolicy(value: unknown): unknown {
  return typeof value === "string" && value.startsWith(policyWords.ours) ? `Comfy${value}` : value;
}

// Variant "job list": short jobs beside the page of whole ones, with the times and the name that they have there.
export const jobListAnswer: RespellAnswer = (body, { path }) => {
  const deploymentId = /^\/deployment\/([0-9a-f-]{36})\//.exec(path)?.[1];
  const data = Array.isArray(body["data"]) ? body["data"].filter(isRecord) : [];
  return { ...body, jobs: data.map((job) => inShort(job, deploymentId)) };
};

function inShort(job: JsonRecord, deploymentId: string | undefined): JsonRecord {
  const { id, status, created_at, started_at, completed_at, metadata } = job;
  return {
    id,
    status,
    create_time: created_at,
    update_time: completed_at ?? started_at ?? created_at,
    ...(deploymentId === undefined ? {} : { deployment_id: deploymentId }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

// Variant "key": a key is shown once, in the spelling that the public frontend accepts.
export const createdKeyAnswer: RespellAnswer = (body) => {
  const { secret } = body;
  return typeof secret === "string" ? { ...body, secret: theirKey(secret) } : body;
};

// The document describes keys as they are shown.
export const documentAnswer: RespellAnswer = (body) =>
  JSON.parse(
    JSON.stringify(body, (name, value) => (name === "pattern" && value === "^service-" ? "^comfyui-" : value)),
  );
