// Sends the events of an answer one by one. Ordered misbehaviour happens half-way: the stream goes silent, is reset, breaks off,
// or comes in drops that cut through words. The whole answer was recorded before, so that it can be looked up.
import type { ServerResponse } from "node:http";
import { type Simulation, simulateSecondsMax } from "../models/input-schemas.ts";
import type { Answer } from "./answer.ts";
import { dripSecondsUsual, dripsPerSecond, drops } from "./misbehave.ts";
import { sleep } from "./sleep.ts";

const usualSecondsBetween = 0.004;

export async function streamEvents(
  response: ServerResponse,
  answer: Answer,
  order: { readonly simulate: Simulation | null; readonly seconds: number | null },
  signal: AbortSignal,
): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(answer.status, {
    "Content-Type": answer.contentType,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  const isDrip = order.simulate === "drip";
  const pieces = isDrip ? drops(answer.body, order.seconds ?? dripSecondsUsual) : eventsIn(answer.body);
  const half = Math.floor(pieces.length / 2);
  const between = isDrip
    ? 1 / dripsPerSecond
    : order.simulate === null && order.seconds !== null
      ? order.seconds / pieces.length
      : usualSecondsBetween;
  for (const [index, piece] of pieces.entries()) {
    if (index === half && (await misbehave(response, order, signal))) return;
    response.write(piece);
    if ((await sleep(between, signal)) === "woken") return void response.destroy();
  }
  response.end();
}

// True if the stream is over.
async function misbehave(
  response: ServerResponse,
  { simulate, seconds }: { readonly simulate: Simulation | null; readonly seconds: number | null },
  signal: AbortSignal,
): Promise<boolean> {
  if (simulate === "hang") {
    if ((await sleep(seconds ?? simulateSecondsMax, signal)) === "slept") return false;
    response.destroy();
    return true;
  }
  if (simulate !== "reset" && simulate !== "truncate") return false;
  await sleep(seconds ?? 0, signal);
  if (simulate === "reset") response.req.socket.resetAndDestroy();
  else response.req.socket.destroy();
  return true;
}

function eventsIn(body: Uint8Array): Uint8Array[] {
  const text = Buffer.from(body).toString("utf8");
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => Buffer.from(`${event}\n\n`));
}
