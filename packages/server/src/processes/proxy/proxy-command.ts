// `atelier proxy`: runs in front of an application, in this terminal (run) or in the background (start, stop, status).
import { systemClock } from "../../foundation/clock.ts";
import { findRunningProxy, removeProxyState, writeProxyState } from "../../foundation/home/proxy-state.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { proxyHomeOf } from "../../surfaces/proxy-home.ts";
import { requireLoopback } from "../../surfaces/proxy-policy.ts";
import { requireFreePort } from "../../surfaces/proxy-port.ts";
import { type Command, type CommandInput, type CommandResult, readCommand } from "../commands/command.ts";
import { stayRunning } from "../commands/stay-running.ts";
import { startProxy } from "./proxy.ts";
import { absentApplication, proxyStatus, startInBackground, stopInBackground } from "./proxy-background.ts";

type Config = ReturnType<typeof readCommand>["config"];

const ownSecondsMax = 86_400;
// A running local application answers in milliseconds; we do not wait long for one that is not there.
const firstLookMs = 1_000;

export const proxyCommand: Command = {
  async run(listed, input) {
    const { config: read, sources, words } = readCommand(listed, input);
    // On a personal machine a job can take its time, unless a limit was set.
    const config = sources.jobSecondsMax === "default" ? { ...read, jobSecondsMax: ownSecondsMax } : read;
    const home = proxyHomeOf(config, input.env);
    const location = { home, port: config.proxyPort, flags: flagsOf(sources, config) };
    const [verb = "run"] = words;
    switch (verb) {
      case "run":
        requireLoopback(config.host);
        return runHere(config, home, input);
      case "start":
        requireLoopback(config.host);
        return startInBackground(location, input);
      case "stop":
        return stopInBackground(location, systemClock);
      case "status":
        return proxyStatus(location);
      default:
        throw new UsageProblem([`Unknown subcommand "${verb}". Subcommands: run, start, stop, status.`]);
    }
  },
};

async function runHere(config: Config, home: string, input: CommandInput): Promise<CommandResult> {
  const other = await findRunningProxy(home);
  if (other !== null) {
    throw new UsageProblem([
      `A proxy is already running at ${other.url} (process ${other.pid}). Stop it with "atelier proxy stop", or choose another port with --proxy-port.`,
    ]);
  }
  await requireFreePort(config.proxyPort);
  return stayRunning(config.logLevel, input, async (life, log, known) => {
    const proxy = await startProxy({ config, home, life, log, known });
    await writeProxyState(home, { url: proxy.url, startedAt: systemClock.now().toISOString() });
    life.onStop("note of the running proxy", () => removeProxyState(home));
    const isThere = await proxy.isUpstreamUp(firstLookMs);
    return {
      data: { url: proxy.url, upstream: proxy.upstream, upstream_state: isThere ? "up" : "down", home },
      text: `ready ${proxy.url}  (application ${proxy.upstream}, data in ${home})`,
      ...(isThere ? {} : { warnings: [absentApplication(proxy.upstream)] }),
    };
  });
}

// The flags needed to find this proxy again: its port or its home, if they were given.
function flagsOf(sources: ReturnType<typeof readCommand>["sources"], config: Config): string {
  const isSaid = (key: "proxyHome" | "proxyPort") => sources[key] === "flag";
  if (isSaid("proxyHome") && config.proxyHome !== null) return ` --proxy-home ${config.proxyHome}`;
  return isSaid("proxyPort") ? ` --proxy-port ${config.proxyPort}` : "";
}
