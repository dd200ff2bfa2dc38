// Whether bytes can be kept: the store answers, has room, and its clock is right.
import { type Finding, problem, warning, well } from "../../foundation/looks/finding.ts";
import { type BlobSettings, openBlobs } from "./open-blobs.ts";

export async function lookAtBlobs(config: BlobSettings): Promise<Finding[]> {
  const name = "blobs";
  const location = config.blobs?.replace(/\?.*$/, "") ?? "the data folder";
  const mend = "check ATELIER_BLOBS, its credentials and permissions";
  let storage: Awaited<ReturnType<typeof openBlobs>>;
  try {
    storage = await openBlobs(config);
  } catch (error) {
    return [problem(name, error instanceof Error ? error.message : String(error), mend)];
  }
  const unreachable = await storage.reachProblem();
  if (unreachable !== null) return [problem(name, `${location}: ${unreachable}`, mend)];
  const space = await storage.spaceProblem().catch((error: unknown) => String(error));
  if (space !== null)
    return [problem(name, `${location}: ${space}`, "free some space there; uploads and results are refused")];
  return [well(name, `${location} is readable and writable`), ...storeClock(storage)];
}

export function blobsFinding(found: string | null): Finding {
  if (found === null) return well("blobs", "writable, with free space");
  return problem("blobs", found, "free some space there, or check ATELIER_BLOBS; uploads and results are refused");
}

// Call after the store has been contacted: its answers reveal its clock.
export function storeClock(store: { clockProblem(): string | null }): readonly Finding[] {
  const found = store.clockProblem();
  return found === null
    ? []
    : [warning("store's clock", found, "synchronize the clocks (NTP) of the store and of this machine")];
}
