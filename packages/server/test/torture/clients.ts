// The clients retry under one key until they have a final answer, send duplicates, hang up early, and record what they
// saw. A call without a final answer goes back to the queue, so that a call in quarantine blocks no other.
import { Agent, request } from "undici";
import { type Seen, sha256Of } from "./checker.ts";
import type { ProviderKind } from "./provider-script.ts";
import type { Seeded } from "./seeded.ts";
import type { CallRequest } from "./worker-call.ts";

export interface ClientsOptions {
  readonly random: Seeded;
  readonly workspaceIds: readonly [string, ...string[]];
  readonly kinds: readonly [ProviderKind, ...ProviderKind[]];
  readonly inFlightMax: number;
  // How long a client pauses between two attempts.
  readonly restMs: readonly [number, number];
  // The addresses of the workers that are running.
  addresses(): readonly string[];
}

export interface Clients {
  readonly seen: readonly Seen[];
  readonly keyCount: number;
  readonly pending: number;
  // Begins new calls until `finishUp`; keeps asking for pending ones until they are answered.
  run(): Promise<void>;
  finishUp(): void;
  // Gives up all pending calls.
  stop(): void;
  // Asks once more for everything that was answered; counts the keys that no longer answer.
  replayAll(): Promise<{ replayed: number; lost: number }>;
  close(): Promise<void>;
}

interface Operation {
  readonly request: CallRequest;
  readonly notBeforeMs: number;
}

export function createClients(options: ClientsOptions): Clients {
  const { random } = options;
  const agent = new Agent({ connections: 64, keepAliveTimeout: 200, connect: { timeout: 1_000 } });
  const seen: Seen[] = [];
  const waiting: Operation[] = [];
  const answered: CallRequest[] = [];
  let [keyCount, inFlight, isFinishing, isStopped] = [0, 0, false, false];

  function newOperation(): Operation {
    keyCount += 1;
    const key = random.chance(0.1) ? null : `key-${keyCount}`;
    const price = 1 + Math.floor(random.between(0, 1_000));
    const request = { workspaceId: random.pick(options.workspaceIds), key, kind: random.pick(options.kinds), price };
    return { request, notBeforeMs: 0 };
  }

  // Some hang up before the answer.
  const patience = () => (random.chance(0.1) ? random.between(10, 500) : patienceMsMax);

  async function attempt(input: CallRequest, patienceMs: number): Promise<boolean> {
    const [first, ...others] = options.addresses();
    if (first === undefined) return false;
    const startedMs = performance.now();
    try {
      const answer = await request(`${random.pick([first, ...others])}/call`, {
        method: "POST",
        body: JSON.stringify(input),
        dispatcher: agent,
        signal: AbortSignal.timeout(patienceMs),
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const isFinal = answer.statusCode === 200 || (answer.statusCode === 502 && bytes.includes("outcome_unknown"));
      const callId = answer.headers["x-call-id"];
      seen.push({
        workspaceId: input.workspaceId,
        key: input.key,
        callId: typeof callId === "string" && callId !== "" ? callId : null,
        status: answer.statusCode,
        sha256: sha256Of(bytes),
        isFinal,
        startedMs,
        endedMs: performance.now(),
      });
      return isFinal;
    } catch {
      return false;
    }
  }

  // On a busy machine a worker may be slower than a client's patience.
  async function answersAgain(request: CallRequest): Promise<boolean> {
    for (let tries = 0; tries < replayTriesMax; tries++) if (await attempt(request, patienceMsMax)) return true;
    return false;
  }

  async function work({ request }: Operation): Promise<void> {
    const attempts = [attempt(request, patience())];
    if (request.key !== null && random.chance(0.15)) attempts.push(attempt(request, patience()));
    const hasAnswer = (await Promise.all(attempts)).includes(true);
    // Without a key there is no second try: it would be another call.
    if (hasAnswer && request.key !== null) answered.push(request);
    else if (request.key !== null)
      waiting.push({ request, notBeforeMs: performance.now() + random.between(100, 1_500) });
  }

  function take(): Operation | undefined {
    const now = performance.now();
    const isFull = isFinishing || waiting.length > waitingMax;
    if (!isFull && random.chance(0.5)) return newOperation();
    const due = waiting.findIndex((operation) => operation.notBeforeMs <= now);
    if (due !== -1) return waiting.splice(due, 1)[0];
    return isFull ? undefined : newOperation();
  }

  async function client(): Promise<void> {
    while (!isStopped && !(isFinishing && waiting.length + inFlight === 0)) {
      const operation = take();
      if (!operation) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      inFlight += 1;
      await work(operation);
      inFlight -= 1;
      await new Promise((resolve) => setTimeout(resolve, random.between(...options.restMs)));
    }
  }

  return {
    seen,
    get keyCount() {
      return keyCount;
    },
    get pending() {
      return waiting.length + inFlight;
    },
    async run() {
      await Promise.all(Array.from({ length: options.inFlightMax }, client));
    },
    finishUp() {
      isFinishing = true;
    },
    stop() {
      isStopped = true;
    },
    async replayAll() {
      const requests = [...answered];
      let lost = 0;
      const lane = async () => {
        for (let request = requests.pop(); request; request = requests.pop())
          if (!(await answersAgain(request))) lost += 1;
      };
      await Promise.all(Array.from({ length: 8 }, lane));
      return { replayed: answered.length - lost, lost };
    },
    close: () => agent.close(),
  };
}

const waitingMax = 300;
const replayTriesMax = 30;
// Longer than a worker takes to answer 504; a client leaves a sleeping worker for another one.
const patienceMsMax = 2_000;
