// Callers that queue model calls at servers that die: each submits under a key until it gets an id, cancels some, and
// watches others. The judge gets what each key answered.
import { randomUUID } from "node:crypto";
import { systemClock } from "../../src/foundation/clock.ts";
import { bearer, textOf } from "../support/app-client.ts";
import { aCall } from "./router-clients.ts";
import type { RouterServer } from "./router-world.ts";
import type { Seeded } from "./seeded.ts";

export interface TorturedSubmission {
  readonly model: string;
  readonly body: Buffer;
  readonly key: string;
  // Every id that the key returned.
  readonly ids: Set<string>;
  // A cancel was answered 202.
  isCancelled: boolean;
}

export interface RequestClients {
  readonly submissions: readonly TorturedSubmission[];
  readonly troubles: readonly string[];
  stop(): Promise<void>;
}

const passing = [429, 503];
const patienceMs = 60_000;

export function startRequestClients(options: {
  readonly lanes: number;
  readonly random: Seeded;
  readonly apiKey: string;
  readonly webhookUrl: string;
  readonly servers: () => readonly RouterServer[];
}): RequestClients {
  const submissions: TorturedSubmission[] = [];
  const troubles: string[] = [];
  const stopping = new AbortController();
  const own = {
    ...bearer(options.apiKey),
    "content-type": "application/json",
    "x-service-webhook-url": options.webhookUrl,
  };

  async function submit(server: RouterServer, submission: TorturedSubmission): Promise<boolean> {
    const path = `/v1/models/${submission.model}/requests`;
    const headers = { ...own, "idempotency-key": submission.key };
    const answer = await server.client.call({ method: "POST", path, headers, body: submission.body }).catch(() => null);
    if (answer?.status === 202) submission.ids.add(textOf(answer.json(), "request_id"));
    else if (answer && !passing.includes(answer.status)) troubles.push(`${answer.status}: ${answer.text}`);
    return answer?.status === 202;
  }

  async function cancel(server: RouterServer, submission: TorturedSubmission): Promise<void> {
    const [id = ""] = submission.ids;
    const path = `/v1/models/${submission.model}/requests/${id}/cancel`;
    const answer = await server.client.call({ method: "PUT", path, headers: bearer(options.apiKey) }).catch(() => null);
    if (answer?.status === 202) submission.isCancelled = true;
    else if (answer && ![409, ...passing].includes(answer.status)) troubles.push(`${answer.status}: ${answer.text}`);
  }

  async function lane(random: Seeded): Promise<void> {
    const pick = () => options.servers()[Math.floor(random.next() * options.servers().length)];
    while (!stopping.signal.aborted) {
      const { model, body } = aCall(random);
      const submission = { model, body, key: randomUUID(), ids: new Set<string>(), isCancelled: false };
      submissions.push(submission);
      const end = performance.now() + patienceMs;
      let isTaken = false;
      while (!isTaken && performance.now() < end && !stopping.signal.aborted) {
        const server = pick();
        isTaken = server !== undefined && (await submit(server, submission));
        if (!isTaken) await systemClock.sleep(random.between(20, 200), stopping.signal);
      }
      const server = pick();
      const next = random.next();
      if (server && isTaken && next < 0.2) await cancel(server, submission);
      // The same submission again, as after a lost answer.
      else if (server && isTaken && next < 0.4) await submit(server, submission);
      await systemClock.sleep(random.between(0, 150), stopping.signal);
    }
  }

  const lanes = Array.from({ length: options.lanes }, (_, index) => lane(options.random.stream(`lane ${index}`)));
  return {
    submissions,
    troubles,
    async stop() {
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}
