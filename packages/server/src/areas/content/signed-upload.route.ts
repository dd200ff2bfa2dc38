// The storage hand-off's own URLs: bytes in, once, and bytes out; and node archives in. These routes only translate.
import type { Readable } from "node:stream";
import { operations } from "@atelier/contract";
import { type Assets, withinRange } from "../../capabilities/assets/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { guardRate, requireIdentityEncoding } from "../../foundation/http/body/read-body.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";

export function getSignedUploadRoute(assets: Pick<Assets, "tickets" | "content">): Route<unknown> {
  return route(operations.getSignedUpload, async (incoming) => {
    const found = await assets.tickets.resolve(incoming);
    if (!found) throw new Fault("forbidden", "This URL is invalid or has expired.");
    const cacheControl = `private, max-age=${Math.floor(found.remainingSeconds)}`;
    const rules = { cacheControl, asAttachment: false, directSeconds: found.remainingSeconds };
    const answer = await assets.content(found.asset, incoming, rules);
    return withinRange(answer, incoming, genericEnvelope);
  });
}

type SignedUpload = Parameters<Assets["tickets"]["put"]>[0];

// Other uploads to signed URLs. Null if the URL is not one of theirs.
export interface SignedUploads {
  receive(upload: SignedUpload): Promise<{
    readonly size: number;
    readonly status: string;
    readonly findings: readonly unknown[];
  } | null>;
}

export function putSignedUploadRoute(deps: {
  readonly assets: Pick<Assets, "tickets">;
  readonly archives?: SignedUploads;
  readonly clock: Clock;
}): Route<unknown> {
  return route(operations.putSignedUpload, async (incoming) => {
    requireIdentityEncoding(incoming.headers);
    const source = bytesOf(incoming.stream, deps.clock);
    const upload = { ...locationOf(incoming), source, signal: incoming.signal };
    const archive = await deps.archives?.receive(upload);
    if (archive) {
      const { size, status, findings } = archive;
      return jsonAnswer(200, { size_bytes: size, status, findings });
    }
    return jsonAnswer(200, { size_bytes: await deps.assets.tickets.put(upload) });
  });
}

const locationOf = ({ path, queryText }: { readonly path: string; readonly queryText: string }) => ({
  path,
  queryText,
});

const windowMs = 30_000;
const windowBytesMin = 30 * 1024;

// A body must deliver at least 1 KiB/s, like every other.
async function* bytesOf(stream: Readable, clock: Clock): AsyncGenerator<Uint8Array> {
  let received = 0;
  const slow = new Fault("request_timeout", "The request body arrived too slowly.");
  const guard = guardRate({ clock, windowMs, windowBytesMin, bytesSoFar: () => received }, () => stream.destroy(slow));
  try {
    for await (const chunk of stream) {
      const bytes: Uint8Array = chunk;
      received += bytes.byteLength;
      yield bytes;
    }
  } catch (thrown) {
    throw thrown instanceof Fault ? thrown : new Fault("client_disconnected", "The client closed the connection.");
  } finally {
    guard.stop();
  }
}
