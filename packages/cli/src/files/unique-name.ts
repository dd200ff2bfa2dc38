// A name no other process will use: the time, the process id, and a random number seeded by the system. It need not be secret,
// only unique; a random UUID would load all of node:crypto, which takes longer than a small upload.
export const uniqueName = (): string =>
  [Date.now(), process.pid, drawn(), drawn()].map((part) => part.toString(36)).join("-");

const drawn = (): number => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
