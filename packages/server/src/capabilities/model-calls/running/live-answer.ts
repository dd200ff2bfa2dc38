// A streamed answer on its way to a caller while its call still runs. The caller reads at its own pace: while it does not,
// nothing is read from the provider. A caller that takes nothing for half a minute, or leaves, is cut off; the call goes on
// without it, so that what was used is known and a retry gets the whole answer. The answer ends only after the call is settled.
import { Readable } from "node:stream";
import type { Clock } from "../../../foundation/clock.ts";
import { asFault } from "../../../foundation/fault.ts";
import type { RecordedAnswer } from "../../calls/index.ts";
import type { LiveReader } from "../../providers/index.ts";
import { routerAnswer } from "../endings/router-answer.ts";

export interface LiveAnswer {
  readonly contentType: string;
  readonly body: Readable;
  // What is known only at the end: the cost. Empty before that, and if the call failed.
  trailers(): Readonly<Record<string, string>>;
}

export interface LiveDelivery {
  readonly reader: LiveReader;
  // Resolves when the provider begins to stream; pending for ever if it does not.
  readonly begun: Promise<LiveAnswer>;
  // The call is settled with this answer, or the caller is not waited for any longer.
  settled(answer: RecordedAnswer): void;
  failed(thrown: unknown): void;
}

const stalledMsMax = 30_000;
const aheadBytesMax = 64 * 1024;

export function createLiveDelivery(clock: Clock): LiveDelivery {
  const begun = Promise.withResolvers<LiveAnswer>();
  let trailers: Readonly<Record<string, string>> = {};
  let goOn: (() => void) | null = null;
  let hasBegun = false;
  const proceed = () => {
    const waiting = goOn;
    goOn = null;
    waiting?.();
  };
  const body = new Readable({
    highWaterMark: aheadBytesMax,
    read: proceed,
    destroy(error, done) {
      proceed();
      done(error);
    },
  });
  // The pipeline that reads it reports its errors; before there is one, they do not matter.
  body.on("error", () => undefined);
  const end = (last: Buffer | null) => {
    if (!hasBegun || body.destroyed) return;
    if (last !== null) body.push(last);
    body.push(null);
  };
  return {
    begun: begun.promise,
    reader: {
      begins(contentType) {
        hasBegun = true;
        begun.resolve({ contentType, body, trailers: () => trailers });
      },
      lines(bytes) {
        if (body.destroyed || body.push(bytes)) return;
        return new Promise((resolve) => {
          const cancel = clock.after(stalledMsMax, () => body.destroy());
          goOn = () => {
            cancel();
            resolve();
          };
        });
      },
    },
    settled({ status, headers, body: bytes }) {
      const used = headers["x-service-credits-used"];
      if (status === 200 && used !== undefined) trailers = { "x-service-credits-used": used };
      end(status === 200 ? null : errorEvent(bytes));
    },
    failed: (thrown) => end(errorEvent(Buffer.from(routerAnswer(asFault(thrown)).body))),
  };
}

// The router's error body as the last event. Our error bodies are JSON on a single line, so one data line holds it.
function errorEvent(body: Buffer): Buffer {
  const line = body.toString("utf8").replaceAll(/[\r\n]+/g, " ");
  return Buffer.from(`event: error\ndata: ${line}\n\n`);
}
