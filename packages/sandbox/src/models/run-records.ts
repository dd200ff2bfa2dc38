// What was requested under each caller's reference: how often it was submitted, how often it ran, how it ended, and the answer.
// It answers "was my call carried out?", and tests count runs with it.
import { BoundedMap } from "@atelier/engine/bounded-map";

import type { Answer } from "../http/answer.ts";
import { BoundedStore } from "../http/bounded-store.ts";

// REJECTED: refused before anything ran. CANCELLED: the client left a simulated hang.
export type RunStatus = "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "REFUSED" | "REJECTED" | "CANCELLED";

export interface RunRecord {
  readonly reference: string;
  readonly model: string;
  readonly requestSha256: string;
  readonly createdAt: string;
  submissions: number;
  runs: number;
  status: RunStatus;
  taskId: string | null;
}

const recordsMax = 100_000;
const listedMax = 1000;
const answerLimits = { entriesMax: 50_000, bytesMax: 128 * 1024 * 1024, keepSeconds: 24 * 3600 };

export class RunRecords {
  readonly #records = new BoundedMap<string, RunRecord>(recordsMax);
  readonly #answers = new BoundedStore<Answer>(answerLimits);
  readonly #runsByModel = new Map<string, number>();
  readonly #startedAt = new Date().toISOString();
  #submissions = 0;
  #runs = 0;

  // Counts every submission, and records it if it has a reference. Another model or body under the same reference begins a new
  // record that continues the count.
  submitted(call: { readonly reference: string | null; readonly model: string; readonly sha256: string }): RunRecord {
    this.#submissions += 1;
    const known = call.reference === null ? undefined : this.#records.get(call.reference);
    const record: RunRecord =
      known && known.model === call.model && known.requestSha256 === call.sha256
        ? known
        : {
            reference: call.reference ?? "",
            model: call.model,
            requestSha256: call.sha256,
            createdAt: new Date().toISOString(),
            submissions: known?.submissions ?? 0,
            runs: known?.runs ?? 0,
            status: "QUEUED",
            taskId: null,
          };
    record.submissions += 1;
    if (call.reference !== null) {
      // Moves it to the end: newest last.
      this.#records.delete(call.reference);
      this.#records.set(call.reference, record);
    }
    return record;
  }

  started(record: RunRecord): void {
    record.runs += 1;
    record.status = "RUNNING";
    this.#runs += 1;
    this.#runsByModel.set(record.model, (this.#runsByModel.get(record.model) ?? 0) + 1);
  }

  ended(record: RunRecord, status: RunStatus, answer: Answer | null): void {
    record.status = status;
    if (answer && record.reference !== "") this.#answers.put(record.reference, answer, answer.body.byteLength + 200);
  }

  find(reference: string): RunRecord | null {
    return this.#records.get(reference) ?? null;
  }

  answerTo(reference: string): Answer | null {
    return this.#answers.get(reference) ?? null;
  }

  stats(): object {
    const latest = [...this.#records.values()].slice(-listedMax);
    let most = 0;
    for (const record of this.#records.values()) most = Math.max(most, record.runs);
    return {
      started_at: this.#startedAt,
      submissions: this.#submissions,
      runs: this.#runs,
      runs_by_model: Object.fromEntries(this.#runsByModel),
      reference_count: this.#records.size,
      most_runs_of_one_reference: most,
      references: Object.fromEntries(
        latest.map(({ reference, submissions, runs, status }) => [reference, { submissions, runs, status }]),
      ),
    };
  }
}
