// Waits, or stops waiting when the signal fires; says which of the two it was. Never rejects.
export function sleep(seconds: number, signal: AbortSignal): Promise<"slept" | "woken"> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve("woken");
    const wake = () => {
      clearTimeout(timer);
      resolve("woken");
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", wake);
      resolve("slept");
    }, seconds * 1000);
    signal.addEventListener("abort", wake, { once: true });
  });
}
