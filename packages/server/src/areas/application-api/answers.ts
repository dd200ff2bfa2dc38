// Answers about the current state, which no cache may keep.
import { type BytesAnswer, jsonAnswer } from "../../foundation/http/area.ts";

export function jsonText(body: string): BytesAnswer {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  return { status: 200, headers, body };
}

export function fresh(body: object): BytesAnswer {
  return jsonAnswer(200, body, { "cache-control": "no-store" });
}
