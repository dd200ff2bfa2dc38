// The body of the bulk cancel: 1 to 100 job ids. A malformed id is a mistake in the request and not an unknown job, so it is
// 400 and not 404 (decisions, section 6).
import { limits } from "@atelier/contract";
import type { JobId } from "../../../capabilities/jobs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { parseId } from "../../../foundation/ids.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";

export function readCancelMany(body: unknown): readonly JobId[] {
  const given = isRecord(body) ? body["job_ids"] : undefined;
  const max = limits.cancelManyJobsMax;
  if (!Array.isArray(given) || given.length === 0 || given.length > max) {
    throw new Fault("invalid_request", `job_ids must be a list of 1 to ${max} ids.`);
  }
  const ids = given.map((id: unknown) => {
    const parsed = typeof id === "string" ? parseId<"job">(id) : null;
    if (parsed === null) throw new Fault("invalid_request", "job_ids contains a value that is not a job id.");
    return parsed;
  });
  return [...new Set(ids)];
}
