// Two people save the same workflow. The second one sees what the other did, and chooses. A rename, move or tag in
// between is no conflict: the document is still the one that was opened.
import type { WorkflowVersion } from "@atelier/sdk";
import { asFault } from "../../api/fault.ts";

// What the person's changes are based on.
export interface Base {
  readonly version: number;
  readonly etag: string;
}

export interface Conflict {
  readonly base: Base;
  // Their version, and the tag with which saving on top of it is meant.
  readonly theirs: Base;
  readonly by: string | null;
}

export interface Saving<Saved> {
  save(etag: string): Promise<Saved>;
  readNow(): Promise<Base>;
  readVersion(version: number): Promise<Pick<WorkflowVersion, "created_by"> | undefined>;
}

export async function saveOnBase<Saved>(
  base: Base,
  saving: Saving<Saved>,
): Promise<{ readonly saved: Saved } | { readonly conflict: Conflict }> {
  try {
    return { saved: await saving.save(base.etag) };
  } catch (thrown) {
    if (asFault(thrown).status !== 412) throw thrown;
  }
  const now = await saving.readNow();
  if (now.version === base.version) return saveOnBase(now, saving);
  const theirs = await saving.readVersion(now.version);
  return { conflict: { base, theirs: now, by: theirs?.created_by?.name ?? null } };
}
