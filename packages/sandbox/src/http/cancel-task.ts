// POST /v1/tasks/{id}/cancel: stops a task that has not ended. It reports what it used by then: nothing while it waited.
import { sandboxModels } from "../models/catalog.ts";
import type { ModelInput } from "../models/read-input.ts";
import { type Answer, errorAnswer, jsonAnswer } from "./answer.ts";
import type { SandboxParts } from "./call.ts";

export function cancelTask({ board, url }: SandboxParts, id: string): Answer {
  const task = board.find(id);
  if (!task) return errorAnswer(404, "not_found", "There is no such task.");
  const isVideo = sandboxModels.some(({ name, output }) => name === task.model && "seconds" in output.usagePointers);
  if (!board.cancel(task, (share) => (isVideo ? secondsOf(task.input, share) : megapixelsOf(task.input, share))))
    return errorAnswer(409, "already_ended", "This task has ended.");
  return jsonAnswer(202, board.present(task, `${url()}/v1/tasks/${task.id}`));
}

const secondsOf = (input: ModelInput, share: number) => ({ seconds: Math.ceil(input.number("seconds") * share) });

function megapixelsOf(input: ModelInput, share: number) {
  const pixels = Math.ceil(input.number("width") * input.number("height") * share);
  return { megapixels: pixels / 1_000_000 };
}
