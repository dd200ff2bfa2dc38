// The proxy behind the terminal: start leaves a process that goes on, stop ends it, status tells whether it is there.
// What it says goes into proxy.log in its home.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, systemClock } from "../foundation/clock.ts";
import type { CommandInput, CommandResult } from "./command.ts";
import { openProxyHome } from "./proxy-home.ts";
import { findRunningProxy, type ProxyState } from "./proxy-state.ts";

// A first start makes a database.
const startMsMax = 90_000;
const termMsMax = 20_000;
const killMsMax = 5_000;
const lookEveryMs = 50;
// Not running, or not started: told by the exit code alone, as service managers expect it.
const notRunning = 1;

export async function startInBackground(home: string, input: CommandInput): Promise<CommandResult> {
  const other = await findRunningProxy(home);
  if (other !== null)
    return { ...shown(other, "runs already"), exitCode: notRunning, problem: `A proxy runs already: ${other.url}` };
  await openProxyHome(home);
  const logFile = join(home, "proxy.log");
  const log = await open(logFile, "a", 0o600);
  const { words, env } = childCall(input);
  const [program = ""] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
    env,
  });
  const ended = once(child, "exit").then(() => null);
  const giveUp = new AbortController();
  try {
    const running = await Promise.race([untilRunning(home, giveUp.signal), ended]);
    if (running !== null) return shown(running, "started");
    const problem = `The proxy did not start. ${await lastWords(logFile)}`;
    if (child.exitCode === null) child.kill("SIGTERM");
    return { data: { running: false, log: logFile }, text: problem, exitCode: notRunning, problem };
  } finally {
    giveUp.abort();
    child.unref();
    await log.close();
  }
}

export async function stopInBackground(home: string, clock: Clock): Promise<CommandResult> {
  const running = await findRunningProxy(home);
  const stopped = { data: { running: false }, text: "No proxy runs here." };
  if (running === null) return stopped;
  for (const { signal, waitMs } of [
    { signal: "SIGTERM", waitMs: termMsMax },
    { signal: "SIGKILL", waitMs: killMsMax },
  ] as const) {
    tell(running.pid, signal);
    if (await untilGone(home, running, clock.monotonicMs() + waitMs, clock))
      return { ...stopped, text: `Stopped the proxy at ${running.url}.` };
  }
  const problem = `The proxy (process ${running.pid}) does not end.`;
  return { data: { running: true, pid: running.pid }, text: problem, exitCode: notRunning, problem };
}

export async function proxyStatus(home: string): Promise<CommandResult> {
  const running = await findRunningProxy(home);
  if (running !== null) return shown(running, "runs");
  const problem = "No proxy runs here.";
  return { data: { running: false }, text: problem, exitCode: notRunning, problem };
}

function shown({ pid, url, startedAt }: ProxyState, word: string): CommandResult {
  return {
    data: { running: true, pid, url, started_at: startedAt },
    text: `The proxy ${word}: ${url}  (process ${pid}, since ${startedAt})`,
  };
}

// The same flags; a token goes by the environment, since everybody can read a process's words.
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

async function untilGone(home: string, running: ProxyState, endMs: number, clock: Clock): Promise<boolean> {
  while (clock.monotonicMs() < endMs) {
    if ((await findRunningProxy(home))?.pid !== running.pid && !isAlive(running.pid)) return true;
    await clock.sleep(lookEveryMs);
  }
  return false;
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself meanwhile.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function lastWords(logFile: string): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "");
  const lines = text.trim().split("\n").slice(-5).join("\n");
  return lines === "" ? `Its log is ${logFile}.` : `The end of ${logFile}:\n${lines}`;
}
