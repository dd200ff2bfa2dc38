// Outputs what a model answered: its bytes on standard output, or with -o the pictures, sounds and videos that it contains or
// links to. Binary data never goes to a terminal; it is saved as a file in the current folder.
import type { ModelResult } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import type { Asked } from "../server/over-http.ts";
import { saveAnswer } from "./save-answer.ts";

export async function handOut({ call, atelier, input }: Asked, answer: ModelResult<unknown>): Promise<CommandResult> {
  const facts = {
    request_id: answer.requestId,
    credits_used: answer.creditsUsed,
    is_replay: answer.isReplay,
    idempotency_key: answer.idempotencyKey,
    content_type: answer.contentType,
  };
  if (!input.json) input.say(`credits ${answer.creditsUsed ?? "0"}   request ${answer.requestId ?? "unknown"}`);
  const target = call.text("output");
  if (target !== undefined) {
    const files = await saveAnswer(atelier, answer, target);
    return { data: { ...facts, answer: answer.data, files }, text: files.join("\n") };
  }
  const isText = /^(text\/|application\/([\w.+-]+\+)?json)/i.test(answer.contentType);
  if (input.json) return { data: { ...facts, answer: answer.data }, text: "" };
  if (isText) return { data: null, text: Buffer.from(answer.bytes).toString("utf8") };
  // It is paid for, and a terminal cannot show it, so it goes into the current folder like a job's outputs.
  if (input.isTerminal) {
    const files = await saveAnswer(atelier, answer, "./");
    return { data: { ...facts, files }, text: files.join("\n") };
  }
  process.stdout.write(answer.bytes);
  return { data: null, text: "" };
}
