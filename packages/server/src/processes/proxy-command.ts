// `atelier proxy`: runs in front of an application, in this terminal (run) or behind it (start, stop, status).
import { systemClock } from "../foundation/clock.ts";
import { type Command, type CommandInput, type CommandResult, readCommand, UsageProblem } from "./command.ts";
import { startProxy } from "./proxy.ts";
import { proxyStatus, startInBackground, stopInBackground } from "./proxy-background.ts";
import { proxyHomeOf } from "./proxy-home.ts";
import { requireLoopback } from "./proxy-policy.ts";
import { findRunningProxy, removeProxyState, writeProxyState } from "./proxy-state.ts";
import { stayRunning } from "./stay-running.ts";

type Config = ReturnType<typeof readCommand>["config"];

const ownSecondsMax = 86_400;

export const proxyCommand: Command = {
  async run(listed, input) {
    const { config: read, sources, words } = readCommand(listed, input);
    // On one's own machine a job may take its time unless somebody said how long.
    const config = sources.jobSecondsMax === "default" ? { ...read, jobSecondsMax: ownSecondsMax } : read;
    const home = proxyHomeOf(config, input.env);
    const [verb = "run"] = words;
    switch (verb) {
      case "run":
        requireLoopback(config.host);
        return runHere(config, home, input);
      case "start":
        requireLoopback(config.host);
        return startInBackground(home, input);
      case "stop":
        return stopInBackground(home, systemClock);
      case "status":
        return proxyStatus(home);
      default:
        throw new UsageProblem([`There is no "${verb}" here. Say what to do: run, start, stop, status.`]);
    }
  },
};

async function runHere(config: Config, home: string, input: CommandInput): Promise<CommandResult> {
  const other = await findRunningProxy(home);
  if (other !== null)
    throw new UsageProblem([`A proxy runs on this home already: ${other.url} (process ${other.pid}).`]);
  return stayRunning(config.logLevel, input, async (life, log) => {
    const proxy = await startProxy({ config, home, life, log });
    await writeProxyState(home, { url: proxy.url, startedAt: systemClock.now().toISOString() });
    life.onStop("note of the running proxy", () => removeProxyState(home));
    return {
      data: { url: proxy.url, upstream: proxy.upstream, home },
      text: `ready ${proxy.url}  (application ${proxy.upstream}, kept in ${home})`,
    };
  });
}
