// The body of a save: a document with its exact bytes, a job, or an earlier version. Exactly one of them.
import { limits, SaveWorkflow, SaveWorkflowVersion } from "@atelier/contract";
import type { DocumentSource, SaveReader } from "../../../capabilities/saved-workflows/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Incoming } from "../../../foundation/http/area.ts";
import { requireMediaType } from "../../../foundation/http/body/read-body.ts";
import { trustedId } from "../../../foundation/ids.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";

export const savedBodyBytesMax = limits.jobBodyBytesMax;

export interface ReadBodyDeps {
  readonly saves: Pick<SaveReader, "read">;
}

export async function readNewWorkflow(deps: ReadBodyDeps, incoming: Incoming<AccountCaller>) {
  const { value, sources } = await readBody(deps, incoming);
  const body = requireValid(SaveWorkflow, value);
  const source = only([...sources, ...jobSource(body.job_id)], "document or job_id");
  return { body, source };
}

export async function readNewVersion(deps: ReadBodyDeps, incoming: Incoming<AccountCaller>) {
  const { value, sources } = await readBody(deps, incoming);
  const body = requireValid(SaveWorkflowVersion, value);
  const restored = body.restore === undefined ? [] : [{ restore: body.restore }];
  return { body, source: only([...sources, ...jobSource(body.job_id), ...restored], "document, job_id or restore") };
}

async function readBody({ saves }: ReadBodyDeps, incoming: Incoming<AccountCaller>) {
  requireMediaType(incoming.headers, "application/json");
  const bytes = await incoming.bytes();
  const { body: value, document } = await saves.read(bytes, incoming.caller.principal.workspaceId);
  if (document === null) return { value, sources: [] };
  const { start, end, ...described } = document;
  // Within the body, which stays in memory until the answer, and is counted as long.
  return { value, sources: [{ bytes: bytes.subarray(start, end), described }] };
}

const jobSource = (jobId: string | undefined): DocumentSource[] =>
  jobId === undefined ? [] : [{ jobId: trustedId<"job">(jobId) }];

function only<Source>(sources: readonly Source[], names: string): Source {
  const [source, ...others] = sources;
  if (source !== undefined && others.length === 0) return source;
  throw new Fault("invalid_request", `The request is not valid: send exactly one of ${names}.`, {
    details: [{ path: "", message: `must have exactly one of ${names}` }],
  });
}
