// Explains in one sentence why a file that a person named cannot be read.
import { ClientProblem } from "../server/client-problem.ts";

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: "No such file:",
  EACCES: "Permission denied:",
  EISDIR: "Expected a file, found a folder:",
};

export function unreadable(path: string, error: unknown): ClientProblem {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  const sentence = Object.hasOwn(readErrors, code) ? `${readErrors[code]} ${path}.` : `Cannot read ${path} (${code}).`;
  const hint = code === "EISDIR" ? "name a file inside it" : `paths are relative to ${process.cwd()}`;
  return new ClientProblem("usage", "usage", sentence, code === "EACCES" ? {} : { hint });
}
