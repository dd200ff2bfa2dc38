// Calls `webhook_url` for every change: signed, repeated until a 2xx, in order unless something went wrong on the way or a fault
// was ordered. The signing key is the UTF-8 text of the secret itself.
import { createHmac, randomUUID } from "node:crypto";
import { sleep } from "../http/sleep.ts";
import { Gate } from "./gate.ts";
import { callLoopback } from "./loopback-call.ts";
import type { PartnerTask } from "./partner-tasks.ts";

function signatureOf(secret: string, id: string, timestamp: string, body: Buffer): string {
  return `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}

interface Letter {
  readonly id: string;
  readonly status: string;
  readonly body: Buffer;
}

const attemptsMax = 4;
const atOnceMax = 64;
const recordedMax = 64;
const answerSecondsMax = 10;
const answerBytesMax = 64 * 1024;
const staleSeconds = 3600;
const lateSecondsUsual = 5;

export class Callbacks {
  readonly #signal: AbortSignal;
  readonly #retrySeconds: number;
  readonly #gate = new Gate(atOnceMax);
  // The first attempt of the previous letter, by task: the next letter waits for it, not for its retries.
  readonly #earlier = new Map<string, Promise<void>>();
  // Sent only after the end, if callbacks are to come out of order.
  readonly #heldBack = new Map<string, Letter[]>();

  constructor(signal: AbortSignal, retrySeconds: number) {
    this.#signal = signal;
    this.#retrySeconds = retrySeconds;
  }

  notify(task: PartnerTask, secret: string, status: string, body: Buffer): void {
    const { faults } = task.order;
    if (!task.webhookUrl || faults.has("callback_never")) return;
    const letter: Letter = { id: `msg_${randomUUID()}`, status, body };
    const isLast = task.endedAt !== null;
    if (faults.has("callback_out_of_order") && !isLast) {
      this.#heldBack.set(task.id, [...(this.#heldBack.get(task.id) ?? []), letter]);
      return;
    }
    this.#post(task, secret, letter);
    if (faults.has("callback_duplicate")) this.#post(task, secret, letter);
    for (const held of this.#heldBack.get(task.id) ?? []) this.#post(task, secret, held);
    if (isLast) this.#heldBack.delete(task.id);
  }

  #post(task: PartnerTask, secret: string, letter: Letter): void {
    const before = this.#earlier.get(task.id) ?? Promise.resolve();
    const tried = Promise.withResolvers<void>();
    this.#earlier.set(task.id, tried.promise);
    void before
      .then(() => this.#deliver(task, secret, letter, tried.resolve))
      .finally(() => {
        if (this.#earlier.get(task.id) === tried.promise) this.#earlier.delete(task.id);
      });
  }

  async #deliver(task: PartnerTask, secret: string, letter: Letter, tried: () => void): Promise<void> {
    if (task.order.faults.has("callback_late")) await sleep(task.order.seconds ?? lateSecondsUsual, this.#signal);
    for (let attempt = 1; attempt <= attemptsMax && !this.#signal.aborted; attempt++) {
      const status = await this.#gate.pass(() => this.#attempt(task, secret, letter));
      tried();
      if (task.callbacks.length < recordedMax)
        task.callbacks.push({
          webhook_id: letter.id,
          status: letter.status,
          attempt,
          response_status: status,
          at: new Date().toISOString(),
        });
      if (status !== null && status >= 200 && status < 300) break;
      if (attempt < attemptsMax) await sleep(this.#retrySeconds * 2 ** (attempt - 1), this.#signal);
    }
    tried();
  }

  // The answer's status, or null if there was none.
  async #attempt(task: PartnerTask, secret: string, { id, body }: Letter): Promise<number | null> {
    const { faults } = task.order;
    if (!task.webhookUrl) return null;
    const age = faults.has("callback_stale") ? staleSeconds : 0;
    const timestamp = String(Math.floor(Date.now() / 1000) - age);
    const key = faults.has("callback_wrong_signature") ? `not ${secret}` : secret;
    try {
      const answer = await callLoopback({
        url: task.webhookUrl,
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "User-Agent": "sandbox-partner",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": signatureOf(key, id, timestamp, body),
        },
        body,
        bodyBytesMax: answerBytesMax,
        secondsMax: answerSecondsMax,
        signal: this.#signal,
      });
      return answer.status;
    } catch {
      return null;
    }
  }
}
