// `atelier deployment <id>`: serves one deployment at the root of its own listener and works for it. No other area is mounted,
// and the worker takes jobs of this deployment only.
import { providerSecrets } from "../../capabilities/providers/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import { parseId } from "../../foundation/ids.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { Secret, UsageProblem } from "../../foundation/settings.ts";
import { noticeSecondsOf } from "../drain-seconds.ts";
import { startGateway } from "../gateway.ts";
import { requirePorts } from "../who-listens.ts";
import { type Command, readCommand } from "./command.ts";
import { stayRunning } from "./stay-running.ts";
import { untilReady } from "./until-ready.ts";

export const deploymentCommand: Command = {
  async run(listed, input) {
    const { config, words } = readCommand(listed, input);
    const deploymentId = parseId<"deployment">(words[0] ?? "");
    if (deploymentId === null) throw new UsageProblem([`"${words[0] ?? ""}" is not a deployment id.`]);
    await requirePorts(config);
    const start = async (life: Lifecycle, log: Log, known: KnownSecrets) => {
      const credentials = providerSecrets(input.env, (text) => new Secret(text));
      const gateway = await startGateway({ config, life, log, known, credentials, deploymentId });
      life.giveNotice(noticeSecondsOf(config));
      const { baseUrl } = gateway;
      if (!isLoopback(config.host))
        log.warn({ host: config.host }, "listening beyond loopback: put TLS in front, and set ATELIER_DEPLOYMENT_URL");
      await untilReady(gateway, { input, life, clock: systemClock });
      return {
        data: { base_url: baseUrl, deployment_id: deploymentId },
        text: `ready ${baseUrl}  (deployment ${deploymentId}, v2 at ${baseUrl}/api/v2)`,
      };
    };
    return stayRunning(config.logLevel, input, start, config.roles);
  },
};
