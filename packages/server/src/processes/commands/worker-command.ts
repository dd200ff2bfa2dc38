// `atelier worker`: runs jobs for a server elsewhere. It calls the server and is never called, has no database, and knows
// nothing but its token. Graphs run in the application beside it, or in the embedded engine.
import { availableParallelism, hostname } from "node:os";
import { join, resolve } from "node:path";
import { applicationEngine, watchFolder } from "../../capabilities/application-workers/index.ts";
import { filledText, fillHere, untilFilled } from "../../capabilities/filling/index.ts";
import type { PoolId } from "../../capabilities/jobs/index.ts";
import {
  createRemoteWorker,
  openServerClient,
  openWorkerHome,
  ServerCallProblem,
} from "../../capabilities/remote-work/index.ts";
import { leaveWhenIdle } from "../../capabilities/scaling/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import { parseId } from "../../foundation/ids.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { chooseIsolation } from "../../foundation/threads/choose-isolation.ts";
import { openTracing } from "../../foundation/tracing/open-tracing.ts";
import { secretsOfSettings } from "../build/server-secrets.ts";
import { serverVersion } from "../server-version.ts";
import { embeddedEngine } from "../workers/embedded-engine.ts";
import { type Command, type CommandInput, type ReadCommand, readCommand } from "./command.ts";
import { stayRunning } from "./stay-running.ts";

export const workerCommand: Command = {
  async run(listed, input) {
    const asked = readCommand(listed, input);
    const { config } = asked;
    const options = readRequest(asked);
    return stayRunning(config.logLevel, input, async (life, log, known) => {
      const secrets = secretsOfSettings(config);
      known.add(() => secrets);
      const { tracer } = openTracing({ config, life, clock: systemClock, version: serverVersion });
      const home = openWorkerHome(join(resolve(config.home), "worker"));
      life.onStop("home", () => home.release());
      const server = openServerClient({ serverUrl: options.serverUrl, token: options.token });
      life.onStop("connections", () => server.close());
      const { workerId } = home;
      const fill = await beginFill({ asked, options, input, server, workerId, life });
      const isolation = await chooseIsolation(config)();
      const context = { config, isolation, life, log, clock: systemClock, workerId, slots: options.slots };
      const engine =
        options.applicationUrl === null ? embeddedEngine(context) : applicationEngine(context, options.applicationUrl);
      const leaving = leaveWhenIdle({ channel: process, life, clock: systemClock, exit: input.exit });
      const watch = watchFolder({ ...context, env: input.env, server, engine });
      const worker = createRemoteWorker({
        ...engine,
        ...options,
        ...home,
        // A worker that leaves takes nothing more.
        environment: async () => (leaving.isOpen() ? engine.environment() : null),
        ...(watch === null ? {} : { lock: () => watch.now(), onPinned: (lockId) => watch.pin(lockId) }),
        server,
        drainMs: config.jobDrainSeconds * 1000,
        clock: systemClock,
        log,
        tracer,
      });
      if (watch !== null) life.work("comparing with the lock", watch);
      watch?.follow(() => void worker.refresh());
      leaving.watch(() => worker.running);
      const working = worker.run(life.background, life.stopping);
      const ended = working.catch(() => undefined);
      life.onStop("running jobs", () => ended, config.jobDrainSeconds + 30);
      const introduced = Promise.race([worker.introduced.then(() => true), working.then(() => false)]);
      const isKnown = await introduced.catch((error: unknown) => {
        throw error instanceof ServerCallProblem ? refusedProblem(options.serverUrl, error) : error;
      });
      // Refused permanently: waiting would not help.
      working.catch((error: unknown) => {
        log.error({ err: error }, "this worker cannot continue");
        void life.stop("refused").finally(() => input.exit(1));
      });
      if (fill !== null) input.say(fill);
      const data = { worker_id: workerId, name: options.name, slots: options.slots, server_url: options.serverUrl };
      if (!isKnown) return { data, text: `stopped before ${options.serverUrl} registered worker ${workerId}` };
      return {
        data,
        text: `ready worker ${workerId}  (${options.slots} slot(s) for ${options.serverUrl}, ${options.applicationUrl ?? "embedded engine"})`,
      };
    });
  },
};

interface FillFirst {
  readonly asked: ReadCommand;
  readonly options: WorkerOptions;
  readonly input: CommandInput;
  readonly server: ReturnType<typeof openServerClient>;
  readonly workerId: string;
  readonly life: Lifecycle;
}

// The worker takes no job before its folder equals the lock. Afterwards it goes on sharing what it has. Returns what was done,
// null if no lock was named.
async function beginFill({ asked, options, input, server, workerId, life }: FillFirst): Promise<string | null> {
  const lock = asked.options["env"];
  if (typeof lock !== "string") return null;
  const { config } = asked;
  const { serverUrl, poolId, name } = options;
  const about = { serverUrl, poolId, name, server, workerId, lock, config, input };
  const filling = await fillHere({
    ...about,
    options: asked.options,
    signal: life.stopping,
    background: life.background,
  });
  life.onStop("sharing weights", () => filling.close());
  return filledText(await untilFilled(filling, input));
}

function refusedProblem(serverUrl: string, { status, message }: ServerCallProblem): UsageProblem {
  const help =
    status === 401
      ? " Create a token on the server's machine with `atelier worker-tokens create`, and set it as ATELIER_WORKER_TOKEN."
      : "";
  return new UsageProblem([`${serverUrl} refuses this worker: ${message}${help}`]);
}

interface WorkerOptions {
  readonly serverUrl: string;
  readonly applicationUrl: string | null;
  readonly token: string;
  readonly poolId: PoolId | null;
  readonly slots: number;
  readonly name: string;
}

// An application runs one graph at a time. The second is already queued there, so that it never pauses between two.
const applicationSlots = 2;

export function readRequest({ config, options }: ReadCommand): WorkerOptions {
  const problems: string[] = [];
  const serverUrl = readServerUrl(options, problems);
  const application = typeof options["application"] === "string" ? options["application"] : config.applicationUrl;
  if (application !== null && URL.parse(application) === null) problems.push("--application must be a URL.");
  if (config.workerToken === null)
    problems.push("Set ATELIER_WORKER_TOKEN; create one with `atelier worker-tokens create`.");
  const pool = options["pool"];
  const poolId = typeof pool === "string" ? parseId<"pool">(pool) : null;
  if (pool !== undefined && poolId === null) problems.push("--pool must be a pool id.");
  const slots = readSlots(options["slots"], application === null ? availableParallelism() : applicationSlots);
  if (slots === null) problems.push("--slots must be a whole number from 1 to 1000.");
  if (problems.length > 0 || serverUrl === null || config.workerToken === null || slots === null) {
    throw new UsageProblem(problems);
  }
  return {
    serverUrl,
    applicationUrl: application,
    token: config.workerToken.reveal(),
    poolId,
    slots,
    name: (typeof options["name"] === "string" ? options["name"] : hostname()).slice(0, 100) || "worker",
  };
}

// Without a trailing slash. Null if it is missing or not allowed; the problems then say why.
export function readServerUrl(options: ReadCommand["options"], problems: string[]): string | null {
  const server = URL.parse(typeof options["server"] === "string" ? options["server"] : "");
  if (server === null) problems.push("Set the server to work for: --server https://gateway.example");
  else if (server.protocol !== "https:" && !isLoopback(server.hostname) && options["plain-http"] !== true) {
    problems.push(
      "--server must be https unless it is on this machine. --plain-http allows http, which sends tokens and files unencrypted.",
    );
  } else return server.href.replace(/\/+$/, "");
  return null;
}

function readSlots(given: string | boolean | undefined, otherwise: number): number | null {
  if (given === undefined) return otherwise;
  const slots = Number(given);
  return Number.isInteger(slots) && slots >= 1 && slots <= 1000 ? slots : null;
}
