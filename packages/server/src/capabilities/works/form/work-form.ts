// The form of a work as the server uses it: read once, with integers of any size as bigints.
import type { WorkInputKind } from "@atelier/contract";

// Where a bound, step or default is an integer beyond 2^53, it is a bigint.
export type FormNumber = number | bigint;
export type FormValue = string | FormNumber | boolean | null | readonly unknown[] | object;

export interface FormTarget {
  readonly node: string;
  readonly input: string;
}

export interface FormInput extends FormTarget {
  readonly name: string;
  readonly kind: WorkInputKind;
  // Where else the value goes.
  readonly also?: readonly FormTarget[];
  readonly label?: string;
  readonly description?: string;
  readonly group?: string;
  readonly required?: boolean;
  readonly default?: FormValue;
  readonly minimum?: FormNumber;
  readonly maximum?: FormNumber;
  readonly step?: FormNumber;
  readonly choices?: readonly (string | FormNumber)[];
  readonly multiline?: boolean;
  readonly random?: boolean;
}

export interface FormOutput {
  readonly name: string;
  readonly node: string;
  readonly label?: string;
  readonly description?: string;
}

export interface WorkForm {
  readonly inputs: readonly FormInput[];
  readonly outputs: readonly FormOutput[];
}

// Inputs whose values are files.
export const fileKinds: ReadonlySet<WorkInputKind> = new Set(["picture", "mask", "sound", "film", "file"]);

export function targetsOf({
  node,
  input,
  also = [],
}: Pick<FormInput, "node" | "input" | "also">): readonly FormTarget[] {
  return [{ node, input }, ...also];
}
