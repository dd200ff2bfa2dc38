// `atelier serve`: starts the gateway, returns when it is ready (the command line prints that one line), and keeps the process
// running until it is stopped.

import { resolve } from "node:path";
import { buildConsoleWords, prepareConsole } from "../../areas/console/index.ts";
import { addSignInLink, findUnshownKey, keepFirstKey } from "../../capabilities/identity/index.ts";
import { providerSecrets } from "../../capabilities/providers/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { newProofKey, proofOf, removeServerNote, writeServerNote } from "../../foundation/home/server-note.ts";
import { reachedAt, requirePorts } from "../../foundation/home/who-listens.ts";
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { makeFolder } from "../../foundation/make-folder.ts";
import { monitoringAddress } from "../build/open/monitoring-listener.ts";
import { reachWarnings } from "../development.ts";
import { noticeSecondsOf } from "../drain-seconds.ts";
import {
  announceReady,
  configAt,
  configOfSeveral,
  type FurtherDeps,
  type FurtherProcess,
  readFurther,
  startFurtherProcesses,
} from "../further-processes.ts";
import { type Gateway, startGateway } from "../gateway.ts";
import { hasRole, partOf, requireRoles } from "../roles.ts";
import { settingWarnings } from "../setting-warnings.ts";
import { type Command, type CommandInput, type CommandResult, type ReadCommand, readCommand } from "./command.ts";
import { stayRunning } from "./stay-running.ts";
import { untilReady } from "./until-ready.ts";

export const serveCommand: Command = {
  async run(listed, input) {
    const { config: given, sources } = readCommand(listed, input);
    const further = readFurther(input.env);
    if (further !== null) return serveBeside({ config: given, sources }, further, input);
    const isOneOf = given.processes > 1;
    const config = isOneOf ? configOfSeveral(given) : given;
    requireRoles(config);
    await requirePorts(config);
    const proofKey = newProofKey();
    const isGateway = hasRole(config, "gateway");
    const start = async (life: Lifecycle, log: Log, known: KnownSecrets) => {
      // Runs in parallel with the rest of the start: in a fresh checkout the console is built while the database starts.
      if (isGateway)
        prepareConsole(config.home).catch((thrown: unknown) =>
          log.error({ err: thrown }, `The console could not be built. ${buildConsoleWords}`),
        );
      const gateway = await startGateway({
        config,
        sources,
        life,
        log,
        known,
        credentials: providerSecrets(input.env),
        prove: (host, challenge) => proofOf(proofKey, host, challenge),
        keepFirstKey: (key) => keepFirstKey(config.home, key),
        among: isOneOf ? { index: 0, sandbox: null } : null,
      });
      life.giveNotice(noticeSecondsOf(config));
      for (const sentence of isGateway ? reachWarnings(config) : []) log.warn({ host: config.host }, sentence);
      for (const { message, mend } of settingWarnings(input)) log.warn({ mend }, message);
      if (isGateway) await noteServer(gateway, { config, life, proofKey });
      await untilReady(gateway, { input, life, clock: systemClock });
      if (isOneOf) await startOthers(gateway, { config, life, log, env: input.env, proofKey });
      return isGateway ? gatewayResult(gateway, input, config) : partResult(gateway, config);
    };
    return stayRunning(config.logLevel, input, start, config.roles);
  },
};

async function gatewayResult(gateway: Gateway, input: CommandInput, config: Config): Promise<CommandResult> {
  const firstStart = await announceFirstStart(gateway, input, config.home);
  const link = firstStart?.link ?? (await linkForTerminal(gateway, input, config));
  const keysUrl = `${gateway.platformUrl}/profile/api-keys`;
  const also = `API reference ${gateway.baseUrl}/docs, keys ${keysUrl}`;
  return {
    data: { base_url: gateway.baseUrl, docs_url: `${gateway.baseUrl}/docs`, keys_url: keysUrl },
    text: `ready ${gateway.baseUrl}  (${link === null ? also : `open ${link} to sign in, works once; ${also}`})`,
    // Printed last, where the person who starts it looks.
    ...(firstStart === null ? {} : { afterwards: firstStart.words }),
  };
}

// For a process that answers no callers: prints where its probes are.
function partResult({ monitoringPort }: Gateway, config: Config): CommandResult {
  const url = reachedAt(monitoringAddress(config)?.host ?? config.host, monitoringPort ?? config.port);
  return {
    data: { monitoring_url: url, roles: config.roles },
    text: `ready ${url}  (${partOf(config)}; status at ${url}/readyz and ${url}/metrics)`,
  };
}

// One of several processes: only the first prints messages for people.
function serveBeside(
  given: Pick<ReadCommand, "config" | "sources">,
  further: FurtherProcess,
  input: CommandInput,
): Promise<CommandResult> {
  const config = configAt(configOfSeveral(given.config), further);
  const start = async (life: Lifecycle, log: Log, known: KnownSecrets) => {
    const gateway = await startGateway({
      config,
      sources: given.sources,
      life,
      log,
      known,
      credentials: providerSecrets(input.env),
      prove: (host, challenge) => proofOf(further.proofKey, host, challenge),
      among: further,
    });
    life.giveNotice(noticeSecondsOf(config));
    await untilReady(gateway, { input, life, clock: systemClock });
    announceReady(life, input.exit);
    return { data: { base_url: gateway.baseUrl, index: further.index }, text: `ready ${gateway.baseUrl}` };
  };
  return stayRunning(config.logLevel, input, start, config.roles);
}

function startOthers(
  { port, contentPort, monitoringPort, sandbox }: Gateway,
  { proofKey, ...deps }: Pick<FurtherDeps, "config" | "life" | "log" | "env"> & { readonly proofKey: string },
): Promise<void> {
  const further = { port, contentPort, metricsPort: monitoringPort, proofKey, sandbox };
  return startFurtherProcesses({ ...deps, clock: systemClock, further });
}

// Lets commands in a second terminal find this server. Removed first when the server stops, so that they no longer find it.
async function noteServer(
  { baseUrl, platformUrl, port }: Gateway,
  { config, life, proofKey }: { config: Config; life: Lifecycle; proofKey: string },
): Promise<void> {
  const { home, host } = config;
  await makeFolder(resolve(home));
  await writeServerNote(home, {
    url: reachedAt(host, port),
    baseUrl,
    platformUrl,
    pid: process.pid,
    startedAt: systemClock.now().toISOString(),
    proofKey,
  });
  life.onStop("note about the server", () => removeServerNote(home, proofKey));
}

// Decisions, section 7: link and key are printed only to a terminal, never to a log. The file, readable only by its owner, is
// written in both cases: commands in a second terminal find the key there. If a first start was interrupted, the next one
// prints the message.
async function announceFirstStart(
  gateway: Gateway,
  input: CommandInput,
  home: string,
): Promise<{ readonly words: string; readonly link: string | null } | null> {
  const { bootstrapped } = gateway;
  const key = bootstrapped.fresh ? bootstrapped.key : await findUnshownKey(home);
  const token = bootstrapped.fresh ? bootstrapped.signInToken : key && (await gateway.linkOwner());
  if (key === null || token === null) return null;
  const link = `${gateway.platformUrl}/sign-in/${token}`;
  const { file, lines } = await addSignInLink(home, key, link);
  if (input.isTerminal && !input.json) {
    const words = ["", `This is the first start. The first workspace's API key is saved in ${file}`, ...lines, ""];
    return { words: words.join("\n"), link };
  }
  const where = `This is the first start. The first API key and a sign-in link are in ${file}`;
  if (input.json) input.say(where);
  return { words: where, link: null };
}

// Until a browser has signed in, every start on this machine's own terminal offers a link. Not beyond loopback, or if standard
// output may be a log: there, `atelier open` and `atelier keys link` create one on request.
async function linkForTerminal(gateway: Gateway, input: CommandInput, { host }: Config): Promise<string | null> {
  if (!input.isTerminal || input.json || !isLoopback(host) || (await gateway.wasSignedIn())) return null;
  const token = await gateway.linkOwner();
  return token && `${gateway.platformUrl}/sign-in/${token}`;
}
