// Callers of a router whose servers die: each makes a call under a key, repeats it under the same key until it has the
// result, and asks once more later. The judge gets what each key answered.
import { randomUUID } from "node:crypto";
import { systemClock } from "../../src/foundation/clock.ts";
import type { AppAnswer } from "../support/app-client.ts";
import { sha256Of } from "../support/sandbox-provider.ts";
import type { RouterServer } from "./router-world.ts";
import type { Seeded } from "./seeded.ts";

export interface RouterCall {
  readonly model: string;
  readonly body: Buffer;
  readonly key: string;
  readonly isPriced: boolean;
  // Hashes of every 200 under the key, and the values of its credits header.
  readonly answers: Set<string>;
  readonly credits: Set<string>;
}

export interface RouterClients {
  readonly calls: readonly RouterCall[];
  // Answers that no caller may ever get here.
  readonly troubles: readonly string[];
  stop(): Promise<void>;
}

// Waiting fixes these: a dead server, a lost answer, a call still running, a twin in flight.
const passing = [409, 502, 503, 504];
const patienceMs = 20_000;

export function aCall(random: Seeded): RouterCall {
  const seconds = Math.round(random.between(0, 1500)) / 1000;
  const size = { width: 64, height: 64 };
  const [model, input] = random.pick<[string, object]>([
    ["sandbox/image-1-queued", { ...size, simulate_seconds: seconds }],
    ["sandbox/image-1-queued", { ...size, simulate: "reset" }],
    ["sandbox/voice-1", { simulate_seconds: seconds }],
    ["sandbox/voice-1", { simulate: random.pick(["truncate", "reset"]) }],
    ["sandbox/text-1", { simulate_seconds: seconds }],
  ]);
  const body = Buffer.from(JSON.stringify({ prompt: "torture", seed: Math.floor(random.next() * 1e9), ...input }));
  return {
    model,
    body,
    key: randomUUID(),
    isPriced: model !== "sandbox/text-1",
    answers: new Set(),
    credits: new Set(),
  };
}

// True once the key has returned the result.
export async function ask(server: RouterServer, call: RouterCall, troubles: string[]): Promise<boolean> {
  let answer: AppAnswer;
  try {
    answer = await server.invoke(call.model, call.body, call.key);
  } catch {
    return false;
  }
  if (answer.status === 200) {
    call.answers.add(sha256Of(answer.bytes));
    call.credits.add(String(answer.headers["x-service-credits-used"]));
    return true;
  }
  if (!passing.includes(answer.status)) troubles.push(`${call.model} answered ${answer.status}: ${answer.text}`);
  return false;
}

export function startClients(options: {
  readonly lanes: number;
  readonly random: Seeded;
  readonly servers: () => readonly RouterServer[];
  readonly makeCall?: (random: Seeded) => RouterCall;
}): RouterClients {
  const { makeCall = aCall } = options;
  const calls: RouterCall[] = [];
  const troubles: string[] = [];
  const stopping = new AbortController();

  async function lane(random: Seeded): Promise<void> {
    while (!stopping.signal.aborted) {
      const call = makeCall(random);
      calls.push(call);
      const end = performance.now() + patienceMs;
      while (!stopping.signal.aborted && performance.now() < end) {
        const servers = options.servers();
        const server = servers[Math.floor(random.next() * servers.length)];
        if (server && (await ask(server, call, troubles))) break;
        await systemClock.sleep(random.between(20, 300), stopping.signal);
      }
    }
  }

  const lanes = Array.from({ length: options.lanes }, (_, index) => lane(options.random.stream(`lane ${index}`)));
  return {
    calls,
    troubles,
    async stop() {
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}
