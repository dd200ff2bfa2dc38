// The proxy in the background: start leaves a process running, stop ends it, status says whether it is running. Its output goes
// to proxy.log in its home.
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startAgain } from "@atelier/engine/own-code";
import { type Clock, systemClock } from "../../foundation/clock.ts";
import { findRunningProxy, isStillRunning, type ProxyState } from "../../foundation/home/proxy-state.ts";
import { askProxyHealth, type ProxyHealth } from "../../surfaces/proxy-health.ts";
import { openProxyHome } from "../../surfaces/proxy-home.ts";
import { requireFreePort } from "../../surfaces/proxy-port.ts";
import type { CommandInput, CommandResult } from "../commands/command.ts";

// A first start creates a database.
const startMsMax = 90_000;
const termMsMax = 20_000;
const killMsMax = 5_000;
const lookEveryMs = 50;
const lastLines = 5;
// Not running, or not started: reported by the exit code alone, as service managers expect.
const notRunning = 1;

// A proxy's home and address, and the flags with which a person names it again.
export interface ProxyLocation {
  readonly home: string;
  readonly port: number;
  readonly flags: string;
}

export async function startInBackground(location: ProxyLocation, input: CommandInput): Promise<CommandResult> {
  const { home } = location;
  const other = await findRunningProxy(home);
  if (other !== null) {
    const problem = `A proxy is already running at ${other.url}. Stop it with "atelier proxy stop${location.flags}".`;
    return { ...(await shown(location, other, "is already running")), exitCode: notRunning, problem };
  }
  await requireFreePort(location.port);
  await openProxyHome(home);
  const logFile = join(home, "proxy.log");
  const log = await open(logFile, "a", 0o600);
  const { words, env } = childCall(input);
  const child = startAgain({ words, env, outputFile: log.fd });
  const ended = once(child, "exit").then(() => null);
  const giveUp = new AbortController();
  try {
    const running = await Promise.race([untilRunning(home, giveUp.signal), ended]);
    if (running !== null) return await shown(location, running, "started");
    const problem = `The proxy did not start. ${await lastWords(logFile)}`;
    if (child.exitCode === null) child.kill("SIGTERM");
    return { data: { running: false, log: logFile }, text: problem, exitCode: notRunning, problem };
  } finally {
    giveUp.abort();
    child.unref();
    await log.close();
  }
}

export async function stopInBackground({ home, port }: ProxyLocation, clock: Clock): Promise<CommandResult> {
  const running = await findRunningProxy(home);
  const stopped = { data: { running: false, home }, text: noProxy(home, port) };
  if (running === null) return stopped;
  for (const { signal, waitMs } of [
    { signal: "SIGTERM", waitMs: termMsMax },
    { signal: "SIGKILL", waitMs: killMsMax },
  ] as const) {
    sendSignal(running.pid, signal);
    if (await untilGone(running, clock.monotonicMs() + waitMs, clock))
      return { ...stopped, text: `Stopped the proxy at ${running.url}.` };
  }
  const problem = `The proxy (process ${running.pid}) does not stop. See its log: ${join(home, "proxy.log")}.`;
  return { data: { running: true, pid: running.pid }, text: problem, exitCode: notRunning, problem };
}

export async function proxyStatus(location: ProxyLocation): Promise<CommandResult> {
  const { home, port, flags } = location;
  const running = await findRunningProxy(home);
  if (running !== null) return shown(location, running, "is running");
  const problem = noProxy(home, port);
  const text = `${problem} Start one with "atelier proxy start${flags}".`;
  return { data: { running: false, home }, text, exitCode: notRunning, problem };
}

const noProxy = (home: string, port: number) => `No proxy is running on port ${port} (checked ${home}).`;

export const absentApplication = (upstream: string) =>
  `The application at ${upstream} does not respond. Start it, or set its address with --application-url; jobs wait for it.`;

// Everything that a person asks next: is the application there, where is the log, how do I stop it?
async function shown({ home, flags }: ProxyLocation, running: ProxyState, word: string): Promise<CommandResult> {
  const { pid, url, startedAt } = running;
  const logFile = join(home, "proxy.log");
  const { upstream, state } = await askHealth(url);
  const lines = [
    `The proxy ${word}: ${url}  (process ${pid}, since ${startedAt})`,
    `  application  ${upstream ?? "unknown: the proxy does not respond"}${upstream === null ? "" : `  ${state}`}`,
    `  data         ${home}`,
    `  log          ${logFile}`,
    `  stop it      atelier proxy stop${flags}`,
  ];
  return {
    data: { running: true, pid, url, started_at: startedAt, upstream, upstream_state: state, home, log: logFile },
    text: lines.join("\n"),
    ...(upstream !== null && state === "down" ? { warnings: [absentApplication(upstream)] } : {}),
  };
}

const healthMsMax = 3_000;

// Until the proxy has tried to reach its application once, it answers that it does not know.
async function askHealth(url: string): Promise<ProxyHealth> {
  const endMs = systemClock.monotonicMs() + healthMsMax;
  for (;;) {
    const health = await askProxyHealth(url, healthMsMax);
    if (health.state !== "unknown" || systemClock.monotonicMs() >= endMs) return health;
    await systemClock.sleep(lookEveryMs);
  }
}

// The same flags, except that a token goes through the environment, because everyone can read a process's arguments.
function childCall(input: CommandInput): { words: string[]; env: Record<string, string | undefined> } {
  const words: string[] = [];
  const env: Record<string, string | undefined> = { ...input.env };
  const given = input.arguments.filter(
    (word, index) => !(index === input.arguments.indexOf("start") && word === "start"),
  );
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index] ?? "";
    if (word === "--proxy-token") {
      env["ATELIER_PROXY_TOKEN"] = given[index + 1];
      index += 1;
    } else if (word.startsWith("--proxy-token=")) env["ATELIER_PROXY_TOKEN"] = word.slice("--proxy-token=".length);
    else words.push(word);
  }
  return { words: ["proxy", "run", ...words], env };
}

async function untilRunning(home: string, signal: AbortSignal): Promise<ProxyState | null> {
  const endMs = systemClock.monotonicMs() + startMsMax;
  while (!signal.aborted && systemClock.monotonicMs() < endMs) {
    const running = await findRunningProxy(home);
    if (running !== null) return running;
    await systemClock.sleep(lookEveryMs, signal);
  }
  return null;
}

async function untilGone(running: ProxyState, endMs: number, clock: Clock): Promise<boolean> {
  while (clock.monotonicMs() < endMs) {
    if (!(await isStillRunning(running))) return true;
    await clock.sleep(lookEveryMs);
  }
  return false;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

async function lastWords(logFile: string): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "");
  const lines = text.trim().split("\n");
  // Messages for people are mixed with log lines and explain the problem better, so prefer them.
  const said = lines.slice(-lastLines).filter((line) => line !== "" && !line.startsWith("{"));
  const shown = (said.length > 0 ? said : lines.slice(-lastLines)).join("\n");
  return shown === "" ? `See its log: ${logFile}.` : `The end of ${logFile}:\n${shown}`;
}
