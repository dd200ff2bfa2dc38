// Extra data of a submission: credentials that only the claiming attempt may see. Sealed to workspace and job, so a copy in
// another row does not open.
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { SealContext, Sealer } from "../secrets/index.ts";
import type { JobId } from "./job.ts";

export function sealContext(workspaceId: WorkspaceId, jobId: JobId): SealContext {
  return { use: "job-extra-data", associatedData: `${workspaceId} ${jobId}` };
}

// Also null if the key has left the ring: the attempt then runs without the data and reports what was missing.
export function openExtraData(
  sealer: Sealer,
  context: SealContext,
  envelope: string | null,
): Readonly<Record<string, string>> | null {
  const plaintext = envelope === null ? null : sealer.open(context, envelope);
  if (plaintext === null) return null;
  const value: unknown = JSON.parse(plaintext.toString("utf8"));
  if (typeof value !== "object" || value === null) return null;
  const members: [string, string][] = [];
  for (const [name, member] of Object.entries(value)) if (typeof member === "string") members.push([name, member]);
  return Object.fromEntries(members);
}
