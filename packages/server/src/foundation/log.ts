// Structured log lines on standard error; standard output is for data (the `ready` line, CLI results).
// Three safeguards against leaking secrets: callers log named fields only, never whole headers or bodies; the secrets that the
// process holds are masked in the finished line; and so is everything that looks like a credential.
import { pino } from "pino";
import type { Hiding } from "./known-secrets.ts";

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Log;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

// API keys (issued or chosen by operators), admin and worker tokens, webhook secrets, bearer values, JWTs, and signatures and
// passwords in URLs.
const secretShapes: readonly [RegExp, string][] = [
  [/service-[A-Za-z0-9._~-]{16,}/g, "service-***"],
  [/admin-[A-Za-z0-9_-]{20,}/g, "admin-***"],
  [/worker-[A-Za-z0-9_-]{40,}/g, "worker-***"],
  [/whsec_[A-Za-z0-9+/=_-]+/g, "whsec_***"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, "$1 ***"],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, "***"],
  [/([?&](?:s|sig|signature|token|key)=)[^&\s"]+/g, "$1***"],
  [/(\/sign-in\/)[A-Za-z0-9_-]{16,}/g, "$1***"],
  [/(:\/\/[^:/?#\s"]+:)[^@/\s"]+@/g, "$1***@"],
];

export function maskSecrets(line: string): string {
  let masked = line;
  for (const [shape, replacement] of secretShapes) masked = masked.replace(shape, replacement);
  return masked;
}

export interface LogOptions {
  readonly level: LogLevel;
  // Human-readable lines instead of JSON.
  readonly pretty?: "plain" | "coloured";
  readonly write?: (line: string) => void;
  // Masks the secrets that the process holds.
  readonly known?: Pick<Hiding, "json">;
}

export function createLog(options: LogOptions): Log {
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const destination = {
    write: (line: string) => {
      const masked = maskSecrets(withoutKnown(line, options.known));
      write(options.pretty ? prettyLine(masked, options.pretty === "coloured") : masked);
    },
  };
  return pino(
    {
      level: options.level,
      base: null,
      messageKey: "message",
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

function withoutKnown(line: string, known: LogOptions["known"]): string {
  if (known === undefined) return line;
  const bytes = Buffer.from(line);
  const covered = known.json(bytes);
  return covered === bytes ? line : covered.toString("utf8");
}

const colours: Readonly<Record<string, string>> = {
  debug: "\u001b[2m",
  info: "\u001b[34m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
};

// 12:04:31 info  a request was refused  code=not_found status=404
function prettyLine(json: string, coloured: boolean): string {
  const { at, level, message, err, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const name = String(level);
  const colour = coloured ? (colours[name] ?? "") : "";
  const rest = Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  const stack = err && typeof err === "object" && "stack" in err ? `\n${String(err.stack)}` : "";
  return `${String(at).slice(11, 19)} ${colour}${name.padEnd(5)}${colour ? "\u001b[0m" : ""} ${message}${rest ? `  ${rest}` : ""}${stack}\n`;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog };
