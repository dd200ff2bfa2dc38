// A token made from a key, a session or another token, as its workspace sees it.
import type { KeyId, PersonId } from "../../../foundation/ids.ts";
import type { ApiKey } from "../api-key.ts";
import type { SessionId } from "../principal.ts";
import type { Restrictions } from "./restrictions.ts";

export interface DerivedToken
  extends Restrictions,
    Pick<ApiKey, "id" | "workspaceId" | "prefix" | "createdBy" | "createdAt" | "revokedAt"> {
  readonly label: string | null;
  // The root first: a key (absent for a session), then tokens.
  readonly ancestors: readonly KeyId[];
  // The session at the root. Null if there is none.
  readonly sessionId: SessionId | null;
  // How many tokens the chain has, this one included.
  readonly depth: number;
}

// Whose tokens a caller sees: everything below one credential, what one person made, or all of the workspace.
export type TokenView =
  | { readonly kind: "below"; readonly ancestorId: KeyId }
  | { readonly kind: "of_person"; readonly personId: PersonId }
  | { readonly kind: "all" };
