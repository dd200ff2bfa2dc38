// Waits for a promise or a stop, the first to come. The work behind the promise continues and is bounded elsewhere.
import { ApplicationProblem } from "../application.ts";

export async function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(new ApplicationProblem("closed", "The run was stopped."));
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
    // The loser is ignored.
    promise.catch(() => {});
    stopped.promise.catch(() => {});
  }
}
