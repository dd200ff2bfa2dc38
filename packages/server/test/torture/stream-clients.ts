// Callers that follow jobs by their events while servers die or leave. If a stream ends before its job does, they open
// the next one from the last event they have. A follower sees states only move forward, and sees the last one.
import { randomUUID } from "node:crypto";
import { systemClock } from "../../src/foundation/clock.ts";
import { bearer, textOf } from "../support/app-client.ts";
import type { RouterServer } from "./router-world.ts";
import type { Seeded } from "./seeded.ts";

export interface StreamClients {
  // Jobs that were followed to their end, and streams that were reopened for them.
  readonly seen: { followed: number; again: number };
  readonly troubles: readonly string[];
  stop(): Promise<void>;
}

const order = ["queued", "running", "canceling", "succeeded", "failed", "canceled", "expired"];
const ends = order.slice(3);
// Behind a queue of jobs whose workers are killed.
const patienceMs = 300_000;

export function startStreamClients(options: {
  readonly lanes: number;
  readonly random: Seeded;
  readonly key: string;
  server(): RouterServer;
}): StreamClients {
  const troubles: string[] = [];
  const seen = { followed: 0, again: 0 };
  let isOver = false;
  const authorization = bearer(options.key);

  async function submit(random: Seeded, color: number): Promise<string | null> {
    const headers = { ...authorization, "idempotency-key": randomUUID() };
    const endMs = performance.now() + patienceMs;
    while (performance.now() < endMs) {
      const answer = await options
        .server()
        .client.call({ method: "POST", path: "/api/v2/jobs", headers, body: { workflow: graphOf(color) } })
        .catch(() => null);
      if (answer?.status === 201) return textOf(answer.json(), "id");
      await systemClock.sleep(random.between(50, 300));
    }
    troubles.push("a job to follow was never taken");
    return null;
  }

  async function follow(id: string, random: Seeded): Promise<void> {
    const endMs = performance.now() + patienceMs;
    const statuses: string[] = [];
    let last: string | null = null;
    while (performance.now() < endMs) {
      const resumed: Record<string, string> = last === null ? {} : { "last-event-id": last };
      const text = await streamOf(`${options.server().baseUrl}/api/v2/jobs/${id}/events`, {
        ...authorization,
        ...resumed,
      });
      for (const frame of text.split("\n\n")) {
        const [, eventId, data] = /^id: (.+)\nevent: status\ndata: (.+)$/.exec(frame) ?? [];
        last = /^id: (.+)$/m.exec(frame)?.[1] ?? last;
        if (eventId !== undefined && data !== undefined) statuses.push(textOf(JSON.parse(data), "status"));
      }
      if (ends.includes(statuses.at(-1) ?? "")) break;
      seen.again += 1;
      await systemClock.sleep(random.between(50, 300));
    }
    // A job that lost its worker is queued again; nothing comes after an end.
    if (statuses.slice(0, -1).some((status) => ends.includes(status)))
      troubles.push(`${id} went on after its end: ${statuses.join()}`);
    if (ends.includes(statuses.at(-1) ?? "")) seen.followed += 1;
    else troubles.push(`${id} was followed in vain: ${statuses.join()}`);
  }

  const lanes = Array.from({ length: options.lanes }, async (_, index) => {
    const random = options.random.stream(`streams ${index}`);
    for (let color = index; !isOver; color += options.lanes) {
      const id = await submit(random, color);
      if (id !== null) await follow(id, random);
      await systemClock.sleep(random.between(100, 800));
    }
  });
  return {
    seen,
    troubles,
    async stop() {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

// What arrived until the stream ended or broke.
async function streamOf(url: string, headers: Record<string, string>): Promise<string> {
  let text = "";
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
    if (!answer.ok || answer.body === null) return "";
    const decoder = new TextDecoder();
    for await (const piece of answer.body) text += decoder.decode(piece, { stream: true });
  } catch {
    // As far as it came.
  }
  return text;
}

function graphOf(color: number): object {
  return {
    "1": { class_type: "EmptyImage", inputs: { width: 512, height: 512, batch_size: 1, color } },
    "2": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 9, sigma: 3 } },
    "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "followed" } },
  };
}
