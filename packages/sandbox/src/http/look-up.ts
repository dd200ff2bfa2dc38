// The reads: tasks, references, counts, files.
import type { Answer } from "./answer.ts";
import { errorAnswer, jsonAnswer } from "./answer.ts";
import type { BoundedStore } from "./bounded-store.ts";
import type { SandboxParts } from "./call.ts";

export interface KeptFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export function getTask({ board, url }: SandboxParts, id: string): Answer {
  const task = board.find(id);
  if (!task) return errorAnswer(404, "not_found", "There is no such task.");
  return jsonAnswer(200, board.present(task, `${url()}/v1/tasks/${task.id}`));
}

// `response` is the whole answer: its status, type and bytes.
export function getReference({ runs, url }: SandboxParts, reference: string): Answer {
  const record = runs.find(reference);
  if (!record) return errorAnswer(404, "not_found", "Nothing was submitted under this reference.");
  const answer = runs.answerTo(reference);
  const resource = record.model.startsWith("partner-") ? "partner-tasks" : "tasks";
  const task =
    record.taskId === null ? {} : { task_id: record.taskId, status_url: `${url()}/v1/${resource}/${record.taskId}` };
  return jsonAnswer(200, {
    reference,
    model: record.model,
    submissions: record.submissions,
    runs: record.runs,
    status: record.status,
    request_sha256: record.requestSha256,
    created_at: record.createdAt,
    ...task,
    ...(answer && {
      response: {
        status: answer.status,
        content_type: answer.contentType,
        body_base64: Buffer.from(answer.body).toString("base64"),
      },
    }),
  });
}

// The recorded answer itself, byte for byte, as if it were given now.
export function getReferenceResponse({ runs }: SandboxParts, reference: string): Answer {
  const record = runs.find(reference);
  if (!record) return errorAnswer(404, "not_found", "Nothing was submitted under this reference.");
  return (
    runs.answerTo(reference) ??
    errorAnswer(409, "not_finished", `The call is ${record.status} and has no result.`, { "Retry-After": "1" })
  );
}

export function getFile(files: BoundedStore<KeptFile>, name: string): Answer {
  const file = files.get(name);
  if (!file) return errorAnswer(404, "not_found", "This file does not exist or has expired.");
  return {
    status: 200,
    contentType: file.contentType,
    body: file.bytes,
    headers: {
      "Cache-Control": "private, max-age=3600, immutable",
      "Content-Security-Policy": "sandbox; default-src 'none'",
      // Meant to be shown anywhere: knowing the address is the permission.
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  };
}
