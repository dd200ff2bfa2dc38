// Operators' answers are never cached: they show secrets once, and their lists must be current.
import { type BytesAnswer, jsonAnswer } from "../../foundation/http/area.ts";

export function freshAnswer(status: number, value: unknown): BytesAnswer {
  return jsonAnswer(status, value, { "cache-control": "no-store" });
}
