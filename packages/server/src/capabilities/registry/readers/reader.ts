// Who is reading. Only members and operators see what is private to a workspace or a publisher.

import type { PersonId, WorkspaceId } from "../../../foundation/ids.ts";
import type { Principal } from "../../identity/index.ts";
export interface Reader {
  readonly workspaceId: WorkspaceId | null;
  readonly personId: PersonId | null;
  readonly isAdmin: boolean;
}

export const nobody: Reader = { workspaceId: null, personId: null, isAdmin: false };
export const operator: Reader = { workspaceId: null, personId: null, isAdmin: true };

export function readerOf(principal: Principal): Reader {
  return { workspaceId: principal.workspaceId, personId: principal.personId, isAdmin: false };
}
