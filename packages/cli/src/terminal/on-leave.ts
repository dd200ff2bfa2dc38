// Ends a command that watches: on Ctrl-C, on a signal from the system, or when the reader closes the pipe (`| head -1`).
export function onLeave(leave: () => void): () => void {
  process.once("SIGINT", leave);
  process.once("SIGTERM", leave);
  process.stdout.once("error", leave);
  return () => {
    process.off("SIGINT", leave);
    process.off("SIGTERM", leave);
    process.stdout.off("error", leave);
  };
}
