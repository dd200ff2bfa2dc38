// A name that no other process makes: the moment, this process, and what the runtime draws from a seed of the system. It need
// not be secret, only its own; a random UUID would load all of node:crypto, which takes longer than a small upload.
export const uniqueName = (): string =>
  [Date.now(), process.pid, drawn(), drawn()].map((part) => part.toString(36)).join("-");

const drawn = (): number => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
