// An error that a caller received, as we keep it.
import type { AnsweredError } from "../../foundation/http/answered-error.ts";
import type { KeyId, WorkspaceId } from "../../foundation/ids.ts";

export interface StoredError extends AnsweredError {
  readonly at: Date;
}

export interface ErrorFilter {
  readonly workspaceId: WorkspaceId;
  readonly status?: number | undefined;
  readonly apiKeyId?: KeyId | undefined;
}
