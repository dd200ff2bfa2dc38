// The same calls, faults, retries and kills with LiteLLM's proxy in place of our servers, for comparison: how often providers run a
// call whose key is the same. Its callers send the key too; it does nothing with it.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { endsWithUs, leashed } from "../support/ends-with-us.ts";
import type { FaultyProvider } from "../support/faulty-provider.ts";
import { freePort } from "../support/free-port.ts";
import { inLanes } from "../support/router-calls.ts";
import { until } from "../support/server-process.ts";
import {
  allRuns,
  callsOf,
  keepAsking,
  type RouteCall,
  type RouteTorture,
  runsOf,
  strike,
  twoProviders,
} from "./route-rig.ts";

export interface RoutePeerOptions extends RouteTorture {
  // The proxy's command.
  readonly program: string;
}

export interface RoutePeerReport {
  readonly calls: number;
  readonly kills: number;
  readonly answered: number;
  readonly available: number;
  readonly runs: number;
  readonly rerouted: number;
  // Calls that ran more than once.
  readonly doubled: number;
  // Runs whose result no caller got.
  readonly unanswered: number;
  readonly seconds: number;
}

interface Proxy {
  readonly baseUrl: string;
  readonly masterKey: string;
  kill(): Promise<void>;
}

const startSeconds = 600;
// As long as ours waits for a run that may still end.
const timeoutSeconds = 2;

export async function tortureLiteLlm(options: RoutePeerOptions): Promise<RoutePeerReport> {
  const startedMs = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "atelier-route-peer-"));
  const providers = await twoProviders();
  const config = join(folder, "config.yaml");
  // JSON is YAML.
  await writeFile(config, JSON.stringify(configOf(providers)));
  const running = new Set<ChildProcess>();
  const alive: Proxy[] = [];
  const calls = callsOf(options);
  const start = () => startProxy(options.program, { config, folder, running });
  try {
    alive.push(await start());
    let isOver = false;
    const striking = strike(options, alive, start, () => isOver);
    await inLanes(options.lanes, calls, (call) =>
      keepAsking(
        call,
        alive,
        (proxy) => ask(proxy, call),
        (status) => status >= 400,
      ),
    );
    isOver = true;
    const kills = await striking;
    const answered = calls.filter(({ status }) => status === 200).length;
    return {
      calls: calls.length,
      kills,
      answered,
      available: (answered / calls.length) * 1000,
      runs: allRuns(providers[0]) + allRuns(providers[1]),
      rerouted: allRuns(providers[1]),
      doubled: calls.filter((call) => runsOf(providers, call) > 1).length,
      unanswered: calls.filter((call) => call.status !== 200 && runsOf(providers, call) > 0).length,
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    for (const child of running) child.kill("SIGKILL");
    for (const provider of providers) await provider.close();
    await rm(folder, { recursive: true, force: true });
  }
}

// With the retries that it has by default.
function configOf([one, two]: readonly [FaultyProvider, FaultyProvider]) {
  const deployment = (name: string, { definition }: FaultyProvider) => ({
    model_name: name,
    litellm_params: {
      model: "openai/draw",
      api_base: `${definition.base_url}/v1`,
      api_key: "none",
      timeout: timeoutSeconds,
    },
  });
  return {
    model_list: [deployment("pair", one), deployment("second", two)],
    router_settings: { fallbacks: [{ pair: ["second"] }] },
    litellm_settings: { telemetry: false },
  };
}

async function startProxy(
  program: string,
  { config, folder, running }: { config: string; folder: string; running: Set<ChildProcess> },
): Promise<Proxy> {
  const port = await freePort();
  // It does not start without one.
  const masterKey = `sk-${randomBytes(24).toString("hex")}`;
  const [command, words] = leashed(program, ["--config", config, "--host", "127.0.0.1", "--port", String(port)]);
  const child = endsWithUs(
    spawn(command, words, {
      cwd: folder,
      stdio: "ignore",
      // Without the first, it would fetch a list of prices when it starts.
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
        LITELLM_MASTER_KEY: masterKey,
        LITELLM_LOG: "ERROR",
      },
    }),
  );
  running.add(child);
  const baseUrl = `http://127.0.0.1:${port}`;
  const ended = () => child.exitCode !== null;
  const isReady = async () => {
    if (ended()) return true;
    const { statusCode, body } = await request(`${baseUrl}/health/liveliness`);
    await body.dump();
    return statusCode === 200;
  };
  await until("LiteLLM's proxy is ready", isReady, startSeconds);
  if (ended()) throw new Error("LiteLLM's proxy does not start.");
  return {
    baseUrl,
    masterKey,
    async kill() {
      running.delete(child);
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function ask({ baseUrl, masterKey }: Proxy, { key, prompt, faults }: RouteCall): Promise<number> {
  const content = JSON.stringify({ prompt, faults });
  const answer = await request(`${baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key, authorization: `Bearer ${masterKey}` },
    body: JSON.stringify({ model: "pair", messages: [{ role: "user", content }] }),
  }).catch(() => null);
  await answer?.body.dump().catch(() => undefined);
  return answer?.statusCode ?? 0;
}
