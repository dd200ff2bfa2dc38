// What the caller of a work gets: the outputs of its job under the form's names, as signed URLs or data URIs.
import { Fault } from "../../../foundation/fault.ts";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import type { Assets } from "../../assets/index.ts";
import type { Job, JobOutput } from "../../jobs/index.ts";
import type { WorkForm } from "../form/work-form.ts";

// What is stored with the call, so that another process can answer it.
export interface WorkRunNote {
  // With the version.
  readonly work: string;
  // Name and node of each output.
  readonly outputs: readonly (readonly [name: string, node: string])[];
  readonly as: "url" | "data_uri";
  // The used inputs as JSON text.
  readonly inputs: string;
}

export type AnswerDeps = { readonly assets: Pick<Assets, "get" | "sign" | "bytes"> };

// Base64 makes a third more of it, and an answer may have 64 MiB.
const dataBytesMax = 45 * 1024 * 1024;

export async function workAnswer(deps: AnswerDeps, job: Job, note: WorkRunNote): Promise<Buffer> {
  const outputs: [string, unknown[]][] = [];
  let left = dataBytesMax;
  for (const [name, node] of note.outputs) {
    const files: unknown[] = [];
    for (const output of job.outputs.filter(({ nodeId }) => nodeId === node)) {
      if (note.as === "data_uri") left -= output.sizeBytes;
      if (left < 0)
        throw new Fault("payload_too_large", "The outputs are too large for data URIs. Call again for URLs.");
      files.push(await presentFile(deps, job, output, note.as));
    }
    outputs.push([name, files]);
  }
  const head = JSON.stringify({ job_id: job.id, work: note.work }).slice(0, -1);
  return Buffer.from(`${head},"inputs":${note.inputs},"outputs":${JSON.stringify(Object.fromEntries(outputs))}}`);
}

async function presentFile({ assets }: AnswerDeps, job: Job, output: JobOutput, as: WorkRunNote["as"]) {
  const asset = await assets.get({ workspaceId: job.workspaceId, assetId: output.assetId });
  const url =
    as === "url"
      ? assets.sign(asset).url
      : `data:${asset.servedType};base64,${(await assets.bytes(asset, dataBytesMax)).toString("base64")}`;
  return {
    url,
    content_type: output.contentType,
    bytes: output.sizeBytes,
    asset_id: output.assetId,
    name: output.name.slice(output.name.lastIndexOf("/") + 1),
  };
}

const echoedBytesMax = 64 * 1024;

// Long inputs are not repeated: then only numbers are, among them every seed that was drawn.
export function echoInputs(inputs: Readonly<Record<string, unknown>>): string {
  const all = writeExactJson(inputs);
  if (Buffer.byteLength(all) <= echoedBytesMax) return all;
  const numbers = Object.entries(inputs).filter(([, value]) => typeof value === "number" || typeof value === "bigint");
  return writeExactJson(Object.fromEntries(numbers));
}

const file = {
  type: "object",
  required: ["url", "content_type", "bytes", "asset_id", "name"],
  properties: {
    url: {
      type: "string",
      description: "A signed URL that works for hours, or a data URI if outputs_as asked for one.",
    },
    content_type: { type: "string" },
    bytes: { type: "integer" },
    asset_id: { type: "string" },
    name: { type: "string" },
  },
};

export function answerSchema(form: WorkForm): Record<string, unknown> {
  const outputs = form.outputs.map(({ name, label, description }) => [
    name,
    {
      type: "array",
      ...(label === undefined ? {} : { title: label }),
      ...(description === undefined ? {} : { description }),
      items: file,
    },
  ]);
  return {
    type: "object",
    required: ["job_id", "work", "inputs", "outputs"],
    properties: {
      job_id: { type: "string", description: "The job that ran it, readable under /api/v2/jobs." },
      work: { type: "string", description: "The version that ran." },
      inputs: { type: "object", description: "The inputs that were used, with random seeds." },
      outputs: {
        type: "object",
        required: form.outputs.map(({ name }) => name),
        properties: Object.fromEntries(outputs),
      },
    },
  };
}
