// Breaks the delivery of an answer as the input asked: the answer is made and recorded in full, only the connection fails. Every
// fault ends on its own, and when the client goes. We take the connection from the request: a response has none until Node has
// finished the one before it, and a client may be faster than that.
import type { ServerResponse } from "node:http";
import type { Simulation } from "../models/input-schemas.ts";
import { type Answer, errorAnswer, send, writeHead } from "./answer.ts";
import { sleep } from "./sleep.ts";

export const dripSecondsUsual = 10;
export const dripsPerSecond = 10;

export async function deliver(
  response: ServerResponse,
  answer: Answer,
  order: { readonly simulate: Simulation | null; readonly seconds: number | null },
  signal: AbortSignal,
): Promise<void> {
  if (order.simulate === "reset") {
    await sleep(order.seconds ?? 0, signal);
    response.req.socket.resetAndDestroy();
  } else if (order.simulate === "truncate") await truncate(response, answer, order.seconds ?? 0, signal);
  else if (order.simulate === "drip") await drip(response, answer, order.seconds ?? dripSecondsUsual, signal);
  else send(response, answer);
}

// The headers promise everything, half of it arrives, then the connection closes.
async function truncate(response: ServerResponse, answer: Answer, seconds: number, signal: AbortSignal): Promise<void> {
  if (response.destroyed) return;
  writeHead(response, answer);
  const half = answer.body.subarray(0, Math.floor(answer.body.byteLength / 2));
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.write(half, () => resolve());
  });
  await sleep(seconds, signal);
  response.req.socket.destroy();
}

async function drip(response: ServerResponse, answer: Answer, seconds: number, signal: AbortSignal): Promise<void> {
  if (response.destroyed) return;
  writeHead(response, answer);
  const all = drops(answer.body, seconds);
  for (const drop of all) {
    response.write(drop);
    if ((await sleep(seconds / all.length, signal)) === "woken") return void response.destroy();
  }
  response.end();
}

// Equal parts of a body, for a delivery that takes this long.
export function drops(body: Uint8Array, seconds: number): Uint8Array[] {
  const count = Math.max(1, Math.min(body.byteLength, Math.ceil(seconds * dripsPerSecond)));
  const at = (drop: number) => Math.floor((body.byteLength * drop) / count);
  return Array.from({ length: count }, (_, drop) => body.subarray(at(drop), at(drop + 1)));
}

export const retryAfter = (seconds: number | null) => ({ "Retry-After": String(Math.ceil(seconds ?? 1)) });

// Something in front of a provider that fails before the provider sees anything.
export function refusedBeforehand(simulate: Simulation | null, seconds: number | null): Answer | null {
  if (simulate === "rate_limit")
    return errorAnswer(429, "rate_limited", "Too many requests. Simulated.", retryAfter(seconds));
  if (simulate === "html") {
    const body = Buffer.from(
      "<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n",
    );
    return { status: 502, contentType: "text/html; charset=utf-8", body };
  }
  return null;
}
