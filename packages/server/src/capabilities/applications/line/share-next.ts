// Shares one expensive read among concurrent callers. A caller never gets a read that began before it asked, because that
// might miss what the caller has just done.
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
