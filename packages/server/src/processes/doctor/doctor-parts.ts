// What `atelier doctor` checks beside the database: the console, the editor, the bus, and the programs that jobs need.
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findTool } from "@atelier/engine";
import { buildConsoleWords, missingConsole } from "../../areas/console/index.ts";
import { editorPackage, newestTested, readInstalled } from "../../capabilities/editor/index.ts";
import type { Config } from "../../config.ts";
import { natsAddressOf } from "../../foundation/bus/nats-address.ts";
import { openNats } from "../../foundation/bus/open-bus.ts";
import { systemClock } from "../../foundation/clock.ts";
import { findRunningServer } from "../../foundation/home/server-note.ts";
import { silentLog } from "../../foundation/log.ts";
import { hasRole } from "../roles.ts";
import { type Finding, problem, warning, well } from "./doctor-finding.ts";
import { lookAtIsolation } from "./doctor-isolation.ts";
import { lookAtMail } from "./doctor-mail.ts";
import { lookAtSafety } from "./doctor-safety.ts";

export async function lookAtParts(config: Config): Promise<Finding[]> {
  return [
    ...(hasRole(config, "gateway") ? [await lookAtConsole(config.home), await lookAtEditor(config.home)] : []),
    ...(await lookAtBus(config)),
    ...(await lookAtSafety(config)),
    ...(await lookAtMail(config)),
    ...(hasRole(config, "engine") ? [lookAtTools()] : []),
    await lookAtIsolation(config),
  ];
}

// A running server shows what it has; without one, we check what the next start would have.
export async function lookAtConsole(home: string): Promise<Finding> {
  const running = await findRunningServer(home);
  if (running !== null) return askedConsole(await consoleStatus(running.url));
  return consoleFinding(await missingConsole(home));
}

export function askedConsole(status: number | null): Finding {
  if (status === 200) return well("console", "available");
  const found = status === null ? "no response" : `responds with ${status}`;
  return problem("console", `${found}: nobody can sign in`, buildConsoleWords);
}

export function consoleFinding(missing: Awaited<ReturnType<typeof missingConsole>>): Finding {
  if (missing === null) return well("console", "built");
  if ("folder" in missing) return well("console", `will be built at the next start, in ${missing.folder}`);
  return problem("console", `not built, and cannot be: ${missing.reason}`, buildConsoleWords);
}

// A file that is listed but gone would leave people with an empty page.
export async function lookAtEditor(home: string): Promise<Finding> {
  const installed = await readInstalled(resolve(home));
  if (installed === null) return well("editor", "not installed; get it with atelier editor install");
  const { folder, files, version, isTested } = installed;
  const looks = await Promise.all(
    [...files].map(async ([path, { size }]) => (await stat(join(folder, path)).catch(() => null))?.size === size),
  );
  const missing = looks.filter((isThere) => !isThere).length;
  const name = `${editorPackage} ${version}`;
  if (missing > 0) {
    const count = missing === 1 ? "1 file is" : `${missing} files are`;
    return problem("editor", `${name}: ${count} missing or changed`, "run: atelier editor install");
  }
  if (isTested) return well("editor", name);
  return warning(
    "editor",
    `${name} is not a version that we tested`,
    `if it fails: atelier editor install --version ${newestTested}`,
  );
}

async function consoleStatus(url: string): Promise<number | null> {
  try {
    const headers = { accept: "text/html" };
    const signal = AbortSignal.timeout(30_000);
    const answer = await fetch(`${url}/console`, { headers, redirect: "manual", signal });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}

const busMs = 3_000;

// Only NATS needs a check: the other kinds live in this process or in the database.
export async function lookAtBus(
  config: Pick<Config, "bus" | "busCredentials" | "busAuthorityFile">,
): Promise<Finding[]> {
  const address = natsAddressOf(config.bus);
  if (address === null) return [];
  const where = `NATS at ${address.servers.join(", ")}`;
  const bus = await openNats(config, { clock: systemClock, log: silentLog });
  try {
    // Not reachable: every server was tried.
    for (let waited = 0; /not connected yet/.test(bus.problem() ?? "") && waited < busMs; waited += 50)
      await systemClock.sleep(50);
    return [busFinding(where, bus.problem())];
  } finally {
    await bus.close();
  }
}

export function busFinding(where: string, found: string | null): Finding {
  if (found === null) return well("bus", `${where} responds`);
  return problem(
    "bus",
    `${where}: ${found}`,
    "start it, or check ATELIER_BUS and ATELIER_BUS_CREDENTIALS; until then servers notice each other's work late, and new ones do not become ready",
  );
}

export function lookAtTools(find: typeof findTool = findTool): Finding {
  const missing = (["ffmpeg", "ffprobe"] as const).filter((tool) => find(tool) === null);
  if (missing.length === 0) return well("ffmpeg", "installed");
  return warning(
    "ffmpeg",
    `${missing.join(" and ")} not found: jobs that read or write videos or compressed audio fail`,
    "apt-get install -y ffmpeg (brew install ffmpeg); no restart is needed",
  );
}
