// An error that a caller received, as we keep it.
import type { AnsweredError } from "../../foundation/http/answered-error.ts";

export interface StoredError extends AnsweredError {
  readonly at: Date;
}
