// Operators' answers are never kept: they show secrets once, and what they list must be true.
import { type BytesAnswer, jsonAnswer } from "../../foundation/http/area.ts";

export function freshAnswer(status: number, value: unknown): BytesAnswer {
  return jsonAnswer(status, value, { "cache-control": "no-store" });
}
