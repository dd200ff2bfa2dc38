// Why a task did not return from its child process. `failed` is the handler's own error; the other kinds ended the child.
export type ChildFailureKind = "timed_out" | "crashed" | "out_of_memory" | "failed" | "closed";

export class ChildFailure extends Error {
  readonly kind: ChildFailureKind;

  constructor(kind: ChildFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ChildFailure";
    this.kind = kind;
  }
}
