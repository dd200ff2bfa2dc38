// Who moves credits, and the part of the audit log that records it.
import type { Queryable } from "../../../foundation/database/index.ts";
import type { RequestId, WorkspaceId } from "../../../foundation/ids.ts";

export interface CreditsActing {
  readonly actor: {
    readonly kind: "person" | "key" | "service_account" | "admin" | "system";
    readonly id: string | null;
    readonly name?: string;
  };
  readonly requestId?: RequestId;
}

export interface CreditsAudit {
  append(
    tx: Queryable,
    entry: CreditsActing & {
      readonly action: string;
      readonly subject: { readonly kind: string; readonly id: string };
      readonly workspaceId: WorkspaceId;
      readonly before?: unknown;
      readonly after: unknown;
    },
  ): Promise<void>;
}
