// Who makes a change and in which request, and the part of the audit that records it in the change's own transaction. Modules
// that do not know the audit are given this.

import type { RequestId, WorkspaceId } from "../ids.ts";
import type { Queryable } from "./queryable.ts";

export interface Actor {
  readonly kind: "person" | "key" | "service_account" | "admin" | "system";
  readonly id: string | null;
  // The actor's name at the time: people are renamed and leave.
  readonly name?: string;
}

export interface Acting {
  readonly actor: Actor;
  readonly requestId?: RequestId;
}

export interface ChangeEntry extends Acting {
  // subject.verb, for example `api_key.revoke`.
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly workspaceId?: WorkspaceId | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface ChangeAudit {
  append(tx: Queryable, entry: ChangeEntry): Promise<void>;
}
