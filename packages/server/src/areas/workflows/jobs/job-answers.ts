// Answers about jobs as bytes. An ended job never changes, and every waiting client reads it: it is kept for at most a minute,
// so that what an operator removes is soon gone, and never beyond the job's expiry. The bytes of a job that may still change
// belong to one snapshot of it: while a read returns the same snapshot, it is not serialised again.
import type { Job, JobId } from "../../../capabilities/jobs/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { BytesAnswer } from "../../../foundation/http/area.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";

export interface JobAnswers {
  find(asked: AskedAnswer): JobAnswer | null;
  keep(asked: AskedAnswer, answer: JobAnswer, expiresAt: Date): void;
  // The bytes cached for exactly this snapshot and these links, else built now.
  bytesOf(job: Job, host: string | undefined, make: () => Buffer): Buffer;
}

// With the headers that belong to the bytes.
export type JobAnswer = BytesAnswer & { readonly body: Buffer };

export interface AskedAnswer {
  readonly workspaceId: WorkspaceId;
  readonly jobId: JobId;
  // The host that its links were built for.
  readonly host: string | undefined;
}

const bytesMax = 32 * 1024 * 1024;
const answerBytesMax = 64 * 1024;
const freshMs = 60_000;

export function createJobAnswers({ clock }: { readonly clock: Clock }): JobAnswers {
  const answers = new Map<string, { readonly answer: JobAnswer; readonly untilMs: number }>();
  const pictures = new WeakMap<Job, { readonly host: string | undefined; readonly body: Buffer }>();
  let bytes = 0;
  const keyOf = ({ workspaceId, jobId, host }: AskedAnswer) => `${workspaceId} ${jobId} ${host ?? ""}`;

  function drop(key: string): void {
    bytes -= answers.get(key)?.answer.body.byteLength ?? 0;
    answers.delete(key);
  }

  return {
    find(asked) {
      const key = keyOf(asked);
      const found = answers.get(key);
      if (found === undefined) return null;
      if (clock.now().getTime() < found.untilMs) return found.answer;
      drop(key);
      return null;
    },
    bytesOf(job, host, make) {
      const known = pictures.get(job);
      if (known && known.host === host) return known.body;
      const body = make();
      if (body.byteLength <= answerBytesMax) pictures.set(job, { host, body });
      return body;
    },
    keep(asked, answer, expiresAt) {
      const { body } = answer;
      if (body.byteLength > answerBytesMax) return;
      const key = keyOf(asked);
      drop(key);
      answers.set(key, { answer, untilMs: Math.min(clock.now().getTime() + freshMs, expiresAt.getTime()) });
      bytes += body.byteLength;
      // Oldest first: all are kept for the same time.
      for (const oldest of answers.keys()) {
        if (bytes <= bytesMax) return;
        drop(oldest);
      }
    },
  };
}
