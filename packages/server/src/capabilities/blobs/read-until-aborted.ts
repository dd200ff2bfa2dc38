// An iteration that ends when a signal fires, even while the source is silent. There is one listener for the whole
// iteration: racing each chunk against a long-lived promise would leak a little memory per chunk until the end.
export async function* readUntilAborted<T>(source: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  if (!signal) {
    yield* source;
    return;
  }
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let giveUp: (reason: unknown) => void = () => {};
  const onAbort = () => giveUp(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  let isDone = false;
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done) {
        isDone = true;
        return;
      }
      yield next.value;
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: a silent generator would answer only after its next value.
    if (!isDone) void iterator.return?.()?.catch(() => {});
  }
}
