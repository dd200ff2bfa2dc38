// Ends long-lived answers when their caller's credential ends: event streams and websockets are notified, streamed bodies are
// cut.
import { Readable } from "node:stream";
import type { Answer, Area, EndReason, TakeOverAnswer } from "../area.ts";

// Watches the caller of one request. Null if the area does not watch its callers.
export type WatchCaller = ((lost: () => void) => () => void) | null;
type OnEnd = Parameters<TakeOverAnswer["takeOver"]>[0]["onEnd"];

export function watchOf(area: Area, caller: unknown): WatchCaller {
  const { watch } = area;
  return watch === undefined ? null : (lost) => watch(caller, lost);
}

export function endingWith(onStop: (run: () => void) => () => void, watch: WatchCaller): OnEnd {
  return (run: (reason: EndReason) => void) => {
    const forgetStop = onStop(() => run("stopping"));
    const forgetCaller = watch?.(() => run("refused"));
    return () => {
      forgetStop();
      forgetCaller?.();
    };
  };
}

export function cutWith<Given extends Answer>(answer: Given, watch: WatchCaller): Given {
  if (watch === null || !("body" in answer) || !(answer.body instanceof Readable)) return answer;
  const { body } = answer;
  body.once(
    "close",
    watch(() => body.destroy()),
  );
  return answer;
}
