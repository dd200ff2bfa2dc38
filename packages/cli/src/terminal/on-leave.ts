// What watches until it is told to end: by Ctrl-C, by the system, or by a pipe that is no longer read (`| head -1`).
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
