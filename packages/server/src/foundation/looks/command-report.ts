// What a command prints of a check. A problem is described in one sentence, beside its exit code.
export interface CommandReport {
  // For programs.
  readonly data: unknown;
  // For people.
  readonly text: string;
  readonly exitCode?: number;
  readonly problem?: string;
}
