// What a thrown value means to the person who typed the command: a sentence, a code, an exit code and, if there is one, a way
// out. We recognise the server's errors by shape, because this package works without the server's classes.

import { type ExitKind, exitCodes, kindOfStatus } from "./exit-codes.ts";
import { ClientProblem } from "./server/client-problem.ts";

export interface Failure {
  readonly kind: ExitKind;
  // The server's code if it sent one (not_found, service_unavailable, …), otherwise the kind.
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  // The server's id for the failed request.
  readonly requestId?: string;
  // Whether the same call may succeed later, and what is known about money. Only for calls to a server.
  readonly isRetryable?: boolean;
  readonly billed?: "no" | "yes" | "maybe";
  // Only for unexpected failures. It belongs in a bug report and is shown at log level debug.
  readonly stack?: string;
}

export function usageFailure(problems: readonly string[], hint: string): Failure {
  const said = problems.filter((problem) => problem.trim() !== "");
  return {
    kind: "usage",
    code: "usage",
    message: said.join("\n  ") || "The command was refused without a reason.",
    hint,
  };
}

export function toFailure(thrown: unknown, command: string): Failure {
  if (!(thrown instanceof Error)) return unexpected(String(thrown), undefined);
  if (thrown instanceof ClientProblem) return clientFailure(thrown);
  if ("problems" in thrown && Array.isArray(thrown.problems)) {
    return usageFailure(thrown.problems.map(String), `atelier help ${command}`);
  }
  if (operatorRefusals.has(thrown.name)) return usageFailure([thrown.message || causeText(thrown)], "atelier doctor");
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  if ("status" in thrown && typeof thrown.status === "number") {
    const kind = kindOfStatus(thrown.status);
    if (kind === "unexpected") return unexpected(thrown.message, thrown.stack);
    return {
      kind,
      code,
      message: thrown.message || causeText(thrown),
      ...(kind === "unreachable" ? { hint: "atelier doctor" } : {}),
    };
  }
  const sentence = systemErrors[code];
  if (sentence) {
    const kind = networkErrors.has(code) ? "unreachable" : "usage";
    return { kind, code, message: `${sentence} (${thrown.message || code})`, hint: hintFor(code) };
  }
  return unexpected(thrown.message || causeText(thrown), thrown.stack);
}

// Every failure gets a message: that of its cause, otherwise its name.
function causeText({ name, cause }: Error): string {
  const behind = cause instanceof Error ? cause.message || causeText(cause) : "";
  return behind === "" ? `${name}, without a reason.` : behind;
}

function clientFailure({ kind, code, message, facts }: ClientProblem): Failure {
  const { lines = [], ...more } = facts;
  return { kind, code, message: [message, ...lines.map((line) => `    ${line}`)].join("\n"), ...more };
}

// Errors of the server whose message is written for the operator.
const operatorRefusals: ReadonlySet<string> = new Set(["MigrationRefused", "BackupRefused", "RingUnreadable"]);

const systemErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: "The port is already in use.",
  EACCES: "Permission denied.",
  ENOSPC: "The disk is full.",
  EROFS: "The file system is read-only.",
  ENOTDIR: "Not a folder.",
  EISDIR: "Expected a file, found a folder.",
  EEXIST: "It already exists.",
  ENOENT: "No such file or folder.",
  ECONNREFUSED: "Connection refused.",
  ENOTFOUND: "Host not found.",
  ETIMEDOUT: "The connection timed out.",
};

const networkErrors: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT"]);

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: "choose another port with --port, or stop the program that uses it",
  ENOSPC: "free some space, or choose another location",
};
const hintFor = (code: string) => hints[code] ?? "atelier doctor";

function unexpected(message: string, stack: string | undefined): Failure {
  const hint = "run atelier doctor to check for problems; ATELIER_LOG_LEVEL=debug shows a stack trace";
  return { kind: "unexpected", code: "unexpected", message, hint, ...(stack === undefined ? {} : { stack }) };
}

export const exitCodeOf = (failure: Failure): number => exitCodes[failure.kind];
