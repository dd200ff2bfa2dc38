// A task at a partner, as stored. Its id is also the id of the call that pays for it, our reference at the partner and
// the subject of its webhooks: with one you have all.
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { CallId } from "../calls/index.ts";
import type { TaskState } from "../partners/index.ts";

export type TaskId = CallId;

export interface Task {
  readonly id: TaskId;
  readonly workspaceId: WorkspaceId;
  readonly partner: string;
  readonly operation: string;
  readonly partnerTaskId: string;
  readonly state: TaskState;
  // Number of changes since creation.
  readonly sequence: number;
  readonly webhookUrl: string | null;
  // Pointer → JSON text of what the caller sent and a read shows.
  readonly echo: Readonly<Record<string, string>>;
  // JSON text: what a read answers, and what the first answer was.
  readonly body: string;
  readonly firstBody: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly longestRunSeconds: number;
}

// Stored with the call before anything is sent, so that the next owner can continue without the request.
export interface TaskContext {
  readonly webhookUrl: string | null;
  readonly echo: Readonly<Record<string, string>>;
  // Hexadecimal.
  readonly retryKey: string;
  readonly createdAt: string;
  // The position of the task's start in its trace, if it has one.
  readonly traceparent?: string;
}

export const shardCount = 16;

// By the random end of the id.
export function shardOf(id: TaskId): number {
  return Number.parseInt(id.slice(-1), 16) % shardCount;
}

export const subjectPrefix = "partner:";

export function subjectOf(partner: string, operation: string): string {
  return `${subjectPrefix}${partner}/${operation}`;
}

export function parseSubject(subject: string): { partner: string; operation: string } | null {
  const slash = subject.indexOf("/");
  if (!subject.startsWith(subjectPrefix) || slash < 0) return null;
  return { partner: subject.slice(subjectPrefix.length, slash), operation: subject.slice(slash + 1) };
}

// The context comes from our own row; a call of another release may have none.
export function readContext(value: unknown): TaskContext | null {
  if (typeof value !== "object" || value === null) return null;
  const member = (name: string): unknown => Reflect.get(value, name);
  const [webhookUrl, retryKey, createdAt, echo] = ["webhookUrl", "retryKey", "createdAt", "echo"].map(member);
  if (typeof retryKey !== "string" || typeof createdAt !== "string" || typeof echo !== "object" || echo === null)
    return null;
  const texts = Object.entries(echo).flatMap(([pointer, text]) => (typeof text === "string" ? [[pointer, text]] : []));
  return {
    webhookUrl: typeof webhookUrl === "string" ? webhookUrl : null,
    retryKey,
    createdAt,
    echo: Object.fromEntries(texts),
  };
}
