// `atelier deployment <id>`: serves one deployment at the root of its own listener and works for it. No other area is mounted,
// and the worker takes jobs of this deployment only.
import { hostname } from "node:os";
import { poolOf } from "../../capabilities/deployments/index.ts";
import { providerSecrets } from "../../capabilities/providers/index.ts";
import { readScaling, type ScalingOptions } from "../../capabilities/scaling/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import { requirePorts } from "../../foundation/home/who-listens.ts";
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import { parseId } from "../../foundation/ids.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { noticeSecondsOf } from "../drain-seconds.ts";
import { startGateway } from "../gateway.ts";
import { type Command, type ReadCommand, readCommand } from "./command.ts";
import { startScaling } from "./pool-command.ts";
import { scalingOptions } from "./scaling-options.ts";
import { stayRunning } from "./stay-running.ts";
import { untilReady } from "./until-ready.ts";

// Null without --workers: then this process runs the jobs itself.
function readScalingIfAsked(options: ReadCommand["options"]): ScalingOptions | null {
  if (options["workers"] === undefined) {
    const [first] = Object.keys(options).filter((name) => name in scalingOptions);
    if (first !== undefined) throw new UsageProblem([`--${first} needs --workers.`]);
    return null;
  }
  const problems: string[] = [];
  const scaling = readScaling(options, problems);
  if (scaling === null) throw new UsageProblem(problems);
  return scaling;
}

export const deploymentCommand: Command = {
  async run(listed, input) {
    const { config: given, words, options } = readCommand(listed, input);
    const scaling = readScalingIfAsked(options);
    // Its workers run the graphs, in processes of their own.
    const config = scaling === null ? given : { ...given, roles: given.roles.filter((role) => role !== "engine") };
    const deploymentId = parseId<"deployment">(words[0] ?? "");
    if (deploymentId === null) throw new UsageProblem([`"${words[0] ?? ""}" is not a deployment id.`]);
    await requirePorts(config);
    const start = async (life: Lifecycle, log: Log, known: KnownSecrets) => {
      const credentials = providerSecrets(input.env);
      const hasWorkers = scaling !== null;
      const gateway = await startGateway({ config, life, log, known, credentials, deploymentId, hasWorkers });
      life.giveNotice(noticeSecondsOf(config));
      const { baseUrl } = gateway;
      if (!isLoopback(config.host))
        log.warn({ host: config.host }, "listening beyond loopback: put TLS in front, and set ATELIER_DEPLOYMENT_URL");
      await untilReady(gateway, { input, life, clock: systemClock });
      if (scaling !== null) {
        const poolId = poolOf(deploymentId);
        const local = `http://127.0.0.1:${gateway.port}`;
        const serverUrl = isLoopback(config.host) ? local : baseUrl;
        const name = `workers of ${deploymentId} at ${hostname().slice(0, 40)}:${gateway.port}`.slice(0, 100);
        const token = await gateway.makeWorkerToken(name, poolId);
        life.onStop("worker token", () => token.revoke());
        const shared = { config, life, log, input, serverUrl, isPlainHttp: true };
        await startScaling({ ...shared, token: token.secret, poolId, scaling });
      }
      return {
        data: { base_url: baseUrl, deployment_id: deploymentId },
        text: `ready ${baseUrl}  (deployment ${deploymentId}, v2 at ${baseUrl}/api/v2)`,
      };
    };
    return stayRunning(config.logLevel, input, start, config.roles);
  },
};
