// Which values an input takes. The schema says most of it to callers; this is the exact rule, with integers of any size and steps
// that are counted from the minimum.
import { isOnStep } from "../../../foundation/decimal-multiple.ts";
import { type FormInput, type FormNumber, fileKinds } from "./work-form.ts";

export const colorPattern = "^#[0-9a-fA-F]{6}$";
export const filePattern =
  "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$|https://|data:)";
const [color, file] = [new RegExp(colorPattern), new RegExp(filePattern)];

// What is wrong with the value, as the end of a sentence; null if nothing is.
export function valueProblem(input: FormInput, value: unknown): string | null {
  switch (input.kind) {
    case "text":
      return typeof value === "string" ? lengthProblem(input, value) : "must be a text";
    case "number":
      return isNumber(value) ? boundProblem(input, value) : "must be a number";
    case "integer":
      return isInteger(value) ? boundProblem(input, value) : "must be an integer";
    case "choice":
      return isChoice(input, value) ? null : "must be one of the choices";
    case "boolean":
      return typeof value === "boolean" ? null : "must be true or false";
    case "color":
      return typeof value === "string" && color.test(value) ? null : "must be a colour such as #ff8800";
    default:
      return typeof value === "string" && file.test(value)
        ? null
        : "must be the id of an asset, a https URL or a data URI";
  }
}

export const isFileInput = ({ kind }: Pick<FormInput, "kind">) => fileKinds.has(kind);

export function isNumber(value: unknown): value is FormNumber {
  return typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));
}

export function isInteger(value: unknown): value is FormNumber {
  return typeof value === "bigint" || Number.isInteger(value);
}

// 5 and 5n are the same value. Comparisons between the two types are exact.
export function isSame(one: unknown, other: unknown): boolean {
  return isNumber(one) && isNumber(other) ? !(one < other) && !(one > other) : one === other;
}

export function isChoice({ choices = [] }: Pick<FormInput, "choices">, value: unknown): boolean {
  return choices.some((choice) => isSame(choice, value));
}

function lengthProblem({ minimum, maximum }: FormInput, text: string): string | null {
  const length = [...text].length;
  if (minimum !== undefined && length < minimum) return `must have at least ${minimum} characters`;
  if (maximum !== undefined && length > maximum) return `must have at most ${maximum} characters`;
  return null;
}

function boundProblem({ minimum, maximum, step }: FormInput, value: FormNumber): string | null {
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  if (step === undefined || isOnStep(value, minimum ?? 0, step)) return null;
  return `must be a multiple of ${step}${isZero(minimum ?? 0) ? "" : `, counted from ${minimum}`}`;
}

const isZero = (value: FormNumber) => Number(value) === 0;
