// Whether a port is available, and what holds it if not: we ask the listener who it is, and nothing else.
import { createServer } from "node:net";
import { UsageProblem } from "../settings.ts";
import { findRunningServer } from "./server-note.ts";

export interface ListeningSettings {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  readonly contentPort: number | null;
  readonly metricsPort: number | null;
  readonly roles: readonly string[];
}

// Null if it is free. Otherwise the system's error code, EADDRINUSE for a port that is taken.
export function tryPort(host: string, port: number): Promise<string | null> {
  return new Promise((answer) => {
    const probe = createServer();
    probe.once("error", (error) => answer("code" in error ? String(error.code) : "unknown reason"));
    probe.listen({ host, port }, () => probe.close(() => answer(null)));
  });
}

export async function serverAt(host: string, port: number): Promise<"ready" | "not ready" | "other"> {
  try {
    const signal = AbortSignal.timeout(3_000);
    const answer = await fetch(`${reachedAt(host, port)}/readyz`, { signal, redirect: "error" });
    const body: unknown = await answer.json();
    if (typeof body !== "object" || body === null || !("checks" in body)) return "other";
    return answer.ok ? "ready" : "not ready";
  } catch {
    return "other";
  }
}

// How this machine reaches the listener: a listener on every address is also on loopback.
export function reachedAt(host: string, port: number): string {
  const own = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${own.includes(":") ? `[${own}]` : own}:${port}`;
}

// Runs before anything is created: a start that cannot listen leaves no database, workspace or key behind. Another program can
// still take the port in between; then listening itself fails.
export async function requirePorts(config: ListeningSettings): Promise<void> {
  const problems: string[] = [];
  for (const { port, setting } of portsOf(config)) {
    const code = port === 0 ? null : await tryPort(config.host, port);
    if (code !== null) problems.push(await describeRefusal(config, { port, setting, code }));
  }
  if (problems.length > 0) throw new UsageProblem(problems);
}

function portsOf(config: ListeningSettings) {
  const { port, contentPort, metricsPort } = config;
  const api = { port, setting: "ATELIER_PORT" };
  const metrics = { port: metricsPort ?? 0, setting: "ATELIER_METRICS_PORT" };
  if (!config.roles.includes("gateway")) return [metricsPort === null ? api : metrics];
  // The content port is not required if it follows from the API's: it moves to another if that one is taken.
  return [api, { port: contentPort ?? 0, setting: "ATELIER_CONTENT_PORT" }, metrics];
}

interface Refused {
  readonly port: number;
  readonly setting: string;
  readonly code: string;
}

async function describeRefusal(
  config: Pick<ListeningSettings, "home" | "host">,
  { port, setting, code }: Refused,
): Promise<string> {
  const address = `Port ${port} at ${config.host}`;
  const another = `Choose another port with ${setting}=${port < 60_000 ? port + 1000 : 9000}`;
  if (code === "EACCES")
    return `${address} needs privileges (ports below 1024 are reserved for the system). ${another}.`;
  if (code !== "EADDRINUSE")
    return `${address} cannot be used (${code}). Check ATELIER_HOST, the address to listen on. ${another}.`;
  const running = await findRunningServer(config.home);
  const isOwn = running !== null && new URL(running.url).port === String(port);
  if (isOwn)
    return `${address} is in use by this data folder's server (process ${running.pid}), which is already running.`;
  const isServer = (await serverAt(config.host, port)) !== "other";
  const who = isServer ? "an Atelier server of another data folder" : "another program (`ss -ltnp` shows which)";
  return `${address} is in use by ${who}. Nothing was changed. ${another}, or stop that program.`;
}
