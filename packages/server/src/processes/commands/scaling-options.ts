// The flags of a scaler, in a file that loads nothing else: the list of commands shows them.
import type { CommandOption } from "./command.ts";

export const scalingOptions: Readonly<Record<string, CommandOption>> = {
  workers: {
    type: "string",
    about: "Start and stop workers on this machine: auto, a number, or a range such as 0..4.",
  },
  "jobs-per-worker": { type: "string", about: "Unfinished jobs per wanted worker (default: the deployment's, or 1)." },
  "idle-seconds": { type: "string", about: "How long a worker without a job is kept (default: 300)." },
  "start-command": {
    type: "string",
    about: "A shell command that starts an application for each worker, on the port {port} of 127.0.0.1.",
  },
  "start-seconds": { type: "string", about: "How long a worker and its application may take to start (default: 600)." },
  exec: {
    type: "string",
    about: "Start nothing; run this shell command with WORKERS_WANTED and POOL_ID whenever the number changes.",
  },
  slots: { type: "string", about: "How many jobs each worker runs at once (default: as `atelier worker`)." },
};
