// Who calls: a person who is signed in, or a key.
import type { FileOwner } from "../../capabilities/editor-files/index.ts";
import type { Author } from "../../capabilities/saved-workflows/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { KeyId, PersonId, WorkspaceId } from "../../foundation/ids.ts";

export interface ApplicationCaller {
  readonly workspaceId: WorkspaceId;
  // Null if no key was used.
  readonly keyId: KeyId | null;
  // The person who is signed in. Null or absent for a key.
  readonly personId?: PersonId | null;
}

// Who saves a version.
export function authorOf(caller: ApplicationCaller): Author {
  const { personId = null, keyId } = caller;
  if (personId !== null) return { kind: "person", id: personId };
  return { kind: "key", id: keyId ?? noOne() };
}

// Whose files and settings they are.
export function ownerOf(caller: ApplicationCaller): FileOwner {
  return { workspaceId: caller.workspaceId, ownerId: authorOf(caller).id };
}

function noOne(): never {
  throw new Fault("forbidden", "Only people and keys have files here.");
}
