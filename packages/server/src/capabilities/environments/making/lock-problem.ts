import { FileChanged } from "./hash-files.ts";
import { TooManyFiles } from "./list-files.ts";
import { NoApplication } from "./make-lock.ts";
import { PythonProblem } from "./read-python.ts";

// Why a folder could not be written down, if it is something about the folder. Null for other errors.
export function lockProblem(error: unknown): Error | null {
  const isExpected = [FileChanged, NoApplication, PythonProblem, TooManyFiles].some((kind) => error instanceof kind);
  return isExpected && error instanceof Error ? error : null;
}
