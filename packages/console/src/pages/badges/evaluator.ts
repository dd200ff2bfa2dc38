// Runs evaluations one after the other in a worker, each with a deadline. At the deadline we terminate the worker and start a
// new one, so no expression can block the page.

import type { Badge } from "@atelier/sdk";
import type { BadgeInputs, BadgeValue } from "@atelier/sdk/badges";
import { badges } from "#strings/badges";

export interface Task {
  readonly badge: Pick<Badge, "depends_on" | "expr">;
  readonly state: BadgeInputs;
}

export type Outcome =
  | { readonly kind: "value"; readonly raw: unknown; readonly value: BadgeValue | null; readonly wrong: string | null }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly position: number | null;
      readonly token: string | null;
    }
  | { readonly kind: "late" };

export const deadlineMs = 250;
// A busy machine may starve a worker, so we try a late evaluation once more before we call it slow.
const triesMax = 2;

interface Warm {
  readonly worker: Worker;
  readonly ready: Promise<void>;
}

export class Evaluator {
  #warm: Warm | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  // In the order of the calls. An aborted signal returns null without evaluating.
  evaluate(task: Task, signal: AbortSignal): Promise<Outcome | null> {
    const mine = this.#last.then(() => this.#tried(task, signal));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  end(): void {
    this.#warm?.worker.terminate();
    this.#warm = null;
  }

  async #tried(task: Task, signal: AbortSignal): Promise<Outcome | null> {
    for (let tries = 1; ; tries++) {
      if (signal.aborted) return null;
      const outcome = await this.#once(task);
      if (outcome.kind !== "late" || tries === triesMax) return outcome;
    }
  }

  async #once(task: Task): Promise<Outcome> {
    this.#warm ??= begin();
    const { worker, ready } = this.#warm;
    await ready;
    const id = ++this.#count;
    return new Promise((resolve) => {
      const done = (outcome: Outcome) => {
        clearTimeout(timer);
        worker.removeEventListener("message", hear);
        resolve(outcome);
      };
      const timer = setTimeout(() => {
        this.end();
        done({ kind: "late" });
      }, deadlineMs);
      const hear = ({ data }: MessageEvent<{ readonly id: number; readonly outcome: Outcome }>) => {
        if (data.id === id) done(data.outcome);
      };
      worker.addEventListener("message", hear);
      worker.postMessage({ id, task });
    });
  }
}

function begin(): Warm {
  const worker = new Worker(new URL("./badge.worker.ts", import.meta.url), { type: "module" });
  const ready = new Promise<void>((resolve, reject) => {
    worker.addEventListener("message", () => resolve(), { once: true });
    worker.addEventListener("error", () => reject(new Error(badges.text.evaluator)), { once: true });
  });
  return { worker, ready };
}
