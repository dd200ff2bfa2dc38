// One expensive reading for all who ask at the same time. None of them gets one that began before it asked: it could
// lack what he has just done.
export function shareNext<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;

  function start(): Promise<T> {
    next = null;
    const reading = read();
    const settled = reading.then(
      () => undefined,
      () => undefined,
    );
    running = settled;
    settled.then(() => {
      if (running === settled) running = null;
    });
    return reading;
  }

  return () => {
    if (next !== null) return next;
    if (running === null) return start();
    next = running.then(start);
    return next;
  };
}
