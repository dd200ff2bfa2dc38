// Explains in one sentence why a file that a person named cannot be read.
import { ClientProblem } from "../server/client-problem.ts";

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: "There is no file",
  EACCES: "This user may not read",
  EISDIR: "This is a folder:",
};

export function unreadable(path: string, error: unknown): ClientProblem {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  const sentence = Object.hasOwn(readErrors, code)
    ? `${readErrors[code]} ${path}.`
    : `${path} cannot be read (${code}).`;
  const hint = code === "EISDIR" ? "name a file in it" : `paths begin in ${process.cwd()}`;
  return new ClientProblem("usage", "usage", sentence, code === "EACCES" ? {} : { hint });
}
