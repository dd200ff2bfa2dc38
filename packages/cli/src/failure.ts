// What a thrown value means to the person who typed the command: a sentence, a code, an exit code and, where there is
// one, the way out. The server's errors are read by their shape: this package works without the server's classes.

import { type ExitKind, exitCodes, kindOfStatus } from "./exit-codes.ts";
import { ClientProblem } from "./server/client-problem.ts";

export interface Failure {
  readonly kind: ExitKind;
  // The server's own code where it has one (not_found, service_unavailable, …), else the kind.
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  // What the server calls the request that failed.
  readonly requestId?: string;
  // Whether the same call may succeed later, and what is known about money; of calls to a server only.
  readonly isRetryable?: boolean;
  readonly billed?: "no" | "yes" | "maybe";
  // Only for unforeseen failures: it belongs into a report, and is shown when the log level is debug.
  readonly stack?: string;
}

export function usageFailure(problems: readonly string[], hint: string): Failure {
  const said = problems.filter((problem) => problem.trim() !== "");
  return {
    kind: "usage",
    code: "usage",
    message: said.join("\n  ") || "It was refused, and no reason was given.",
    hint,
  };
}

export function failureOf(thrown: unknown, command: string): Failure {
  if (!(thrown instanceof Error)) return unexpected(String(thrown), undefined);
  if (thrown instanceof ClientProblem) return clientFailure(thrown);
  if ("problems" in thrown && Array.isArray(thrown.problems)) {
    return usageFailure(thrown.problems.map(String), `atelier help ${command}`);
  }
  if (operatorRefusals.has(thrown.name)) return usageFailure([thrown.message || causeOf(thrown)], "atelier doctor");
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  if ("status" in thrown && typeof thrown.status === "number") {
    const kind = kindOfStatus(thrown.status);
    if (kind === "unexpected") return unexpected(thrown.message, thrown.stack);
    return {
      kind,
      code,
      message: thrown.message || causeOf(thrown),
      ...(kind === "unreachable" ? { hint: "atelier doctor" } : {}),
    };
  }
  const sentence = systemErrors[code];
  if (sentence) {
    const kind = networkErrors.has(code) ? "unreachable" : "usage";
    return { kind, code, message: `${sentence} (${thrown.message || code})`, hint: hintOf(code) };
  }
  return unexpected(thrown.message || causeOf(thrown), thrown.stack);
}

// No failure is without words: those of what is behind it, else its name.
function causeOf({ name, cause }: Error): string {
  const behind = cause instanceof Error ? cause.message || causeOf(cause) : "";
  return behind === "" ? `${name}, without a reason.` : behind;
}

function clientFailure({ kind, code, message, facts }: ClientProblem): Failure {
  const { lines = [], ...more } = facts;
  return { kind, code, message: [message, ...lines.map((line) => `    ${line}`)].join("\n"), ...more };
}

// Refusals of the server whose sentence is written for the operator.
const operatorRefusals: ReadonlySet<string> = new Set(["MigrationRefused", "BackupRefused", "RingUnreadable"]);

const systemErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: "Something already listens on that port.",
  EACCES: "That is not allowed to this user.",
  ENOSPC: "The disk is full.",
  EROFS: "That cannot be written to.",
  ENOTDIR: "That is no folder.",
  EISDIR: "That is a folder.",
  EEXIST: "That is there already.",
  ENOENT: "That is not there.",
  ECONNREFUSED: "Nobody answers at that address.",
  ENOTFOUND: "There is no such host.",
  ETIMEDOUT: "That address does not answer in time.",
};

const networkErrors: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT"]);

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: "choose another with --port, or stop what is there",
  ENOSPC: "make room, or choose another place",
};
const hintOf = (code: string) => hints[code] ?? "atelier doctor";

function unexpected(message: string, stack: string | undefined): Failure {
  const hint = "atelier doctor looks for problems; ATELIER_LOG_LEVEL=debug shows where this came from";
  return { kind: "unexpected", code: "unexpected", message, hint, ...(stack === undefined ? {} : { stack }) };
}

export const exitCodeOf = (failure: Failure): number => exitCodes[failure.kind];
