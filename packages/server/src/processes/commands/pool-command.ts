// `atelier pool <id|shared> --workers 0..4`: starts, drains and stops workers of a pool on this machine, as many as the server
// wants. With --exec it starts nothing itself and runs a command whenever the number changes.
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import type { PoolId } from "../../capabilities/jobs/index.ts";
import { sharedPool } from "../../capabilities/pools/index.ts";
import { openServerClient, openWorkerHome, ServerCallProblem } from "../../capabilities/remote-work/index.ts";
import {
  readScaling,
  Scaler,
  type ScalerOrders,
  ScalingHook,
  type ScalingOptions,
} from "../../capabilities/scaling/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { parseId } from "../../foundation/ids.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { secretsOfSettings } from "../build/server-secrets.ts";
import { type Command, type CommandInput, type ReadCommand, readCommand } from "./command.ts";
import { stayRunning } from "./stay-running.ts";
import { readServerUrl } from "./worker-command.ts";

export const poolCommand: Command = {
  async run(listed, input) {
    const asked = readCommand(listed, input);
    const { config } = asked;
    const options = readRequest(asked);
    return stayRunning(config.logLevel, input, async (life, log, known) => {
      const secrets = secretsOfSettings(config);
      known.add(() => secrets);
      const orders = await startScaling({ config, life, log, input, ...options });
      const { workersMin, workersMax } = orders;
      return {
        data: {
          pool_id: orders.poolId,
          workers_min: workersMin,
          workers_max: workersMax,
          server_url: options.serverUrl,
        },
        text: `ready pool ${orders.poolId}  (${workersMin} to ${workersMax} workers for ${options.serverUrl})`,
      };
    });
  },
};

export interface ScalingDeps {
  readonly config: Config;
  readonly life: Lifecycle;
  readonly log: Log;
  readonly input: Pick<CommandInput, "env" | "exit">;
  readonly serverUrl: string;
  readonly isPlainHttp: boolean;
  readonly token: string;
  readonly poolId: PoolId;
  readonly scaling: ScalingOptions;
}

// Resolves with the server's first answer. From then on it follows the wanted number until the stop.
export async function startScaling(deps: ScalingDeps): Promise<ScalerOrders> {
  const { config, life, log, input, serverUrl, token, poolId, scaling } = deps;
  const folder = join(resolve(config.home), "scaling", poolId);
  const home = openWorkerHome(folder);
  life.onStop("home", () => home.release());
  const server = openServerClient({ serverUrl, token });
  life.onStop("connections", () => server.close());
  const name = scaling.name ?? hostname().slice(0, 80);
  const first = Promise.withResolvers<ScalerOrders>();
  const shared = {
    ...scaling,
    scalerId: home.workerId,
    name,
    poolId,
    server,
    clock: systemClock,
    log,
  };
  const env = {
    ...input.env,
    ATELIER_WORKER_TOKEN: token,
    ATELIER_JOB_DRAIN_SECONDS: String(config.jobDrainSeconds),
    ...(config.applicationFolder === null ? {} : { ATELIER_APPLICATION_FOLDER: resolve(config.applicationFolder) }),
  };
  const words = [
    ...["worker", "--server", serverUrl, "--pool", poolId, ...(deps.isPlainHttp ? ["--plain-http"] : [])],
    ...["--name", name, ...(scaling.slots === null ? [] : ["--slots", scaling.slots])],
  ];
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => undefined);
  const heard = { onOrders: first.resolve, onRefused: refused.reject };
  const scaler =
    scaling.exec === null
      ? new Scaler({ ...shared, ...heard, home: folder, words, env })
      : new ScalingHook({ ...shared, ...heard, env: input.env });
  life.work("workers", scaler, config.jobDrainSeconds + 60);
  const orders = await Promise.race([first.promise, refused.promise]).catch((error: unknown) => {
    throw error instanceof ServerCallProblem
      ? new UsageProblem([`${serverUrl} refuses this scaler: ${error.message}`])
      : error;
  });
  refused.promise.catch((error: unknown) => {
    log.error({ err: error }, "this scaler cannot continue");
    void life.stop("refused").finally(() => input.exit(1));
  });
  return orders;
}

function readRequest({ config, options, words }: ReadCommand) {
  const problems: string[] = [];
  const [word = ""] = words;
  const poolId = word === "shared" ? sharedPool : parseId<"pool">(word);
  if (poolId === null) problems.push(`"${word}" is neither a deployment's id nor shared.`);
  const server = readServerUrl(options, problems);
  if (config.workerToken === null)
    problems.push("Set ATELIER_WORKER_TOKEN; create one with `atelier worker-tokens create`.");
  const scaling = readScaling(options, problems);
  if (scaling !== null && scaling.range === null && poolId === sharedPool)
    problems.push("--workers must be a number or a range such as 0..4 for the shared pool.");
  if (problems.length > 0 || poolId === null || server === null || config.workerToken === null || scaling === null)
    throw new UsageProblem(problems);
  const isPlainHttp = options["plain-http"] === true;
  return { serverUrl: server, isPlainHttp, token: config.workerToken.reveal(), poolId, scaling };
}
