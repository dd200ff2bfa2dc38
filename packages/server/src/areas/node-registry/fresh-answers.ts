// Registry answers that no cache may keep.
import { type BytesAnswer, jsonAnswer } from "../../foundation/http/area.ts";

const fresh = { "cache-control": "no-store" };

export async function shown(value: unknown): Promise<BytesAnswer> {
  return jsonAnswer(200, await value, fresh);
}

export async function created(value: unknown): Promise<BytesAnswer> {
  return jsonAnswer(201, await value, fresh);
}

export async function done(change: Promise<unknown>): Promise<BytesAnswer> {
  await change;
  return { status: 204 };
}
