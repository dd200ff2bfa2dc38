// Forms as the SDK reads and writes them: as on the wire, with integers beyond 2^53 as bigint.
import type { WorkForm, WorkflowForm, WorkInput, WorkVersion } from "../generated/wire.ts";

/** An input of a form; bounds, steps and choices beyond 2^53 are bigint. */
export interface FormInput extends Omit<WorkInput, "minimum" | "maximum" | "step" | "choices"> {
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly step?: number | bigint;
  readonly choices?: readonly (string | number | bigint)[];
}

/** What callers of a work may set and what they get. */
export interface Form extends Omit<WorkForm, "inputs"> {
  readonly inputs: readonly FormInput[];
}

/** The form of a saved workflow, and what else it could contain. */
export interface SuggestedForm extends Omit<WorkflowForm, "form" | "inputs"> {
  readonly form: Form;
  readonly inputs: readonly FormInput[];
}

/** One version of a work. */
export interface PublishedVersion extends Omit<WorkVersion, "form"> {
  readonly form: Form;
}
