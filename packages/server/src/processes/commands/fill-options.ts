// The options of `env` and of `worker --env`, in one file so that the list of commands need not load either.
import type { ListedCommand } from "./command.ts";

type Options = ListedCommand["options"];

const fillOptions = {
  share: { type: "string", about: "fill: where neighbours of the pool reach this machine, to share weights." },
  wheels: { type: "string", about: "fill: install Python packages from this folder of wheels, without a network." },
  "spare-weights": {
    type: "string",
    about: "fill: keep at most this much of weights that the lock does not need, such as 200GB (default: what fits).",
  },
  "over-network": {
    type: "boolean",
    about: "fill: fetch weights over the network even if the server keeps them on this machine.",
  },
} as const satisfies Options;

export const envOptions = {
  output: {
    type: "string",
    short: "o",
    about: "lock, show: write the lock to this file (default of lock: atelier.lock.json).",
  },
  python: {
    type: "string",
    about: "lock, check: the interpreter that runs the application (default: its venv, otherwise python3).",
  },
  "without-python": { type: "boolean", about: "lock, check: leave Python and its packages out." },
  weights: { type: "string", about: "lock, check: further folders of models, separated by colons." },
  server: { type: "string", about: "fill: the server that has packs and weights; needs ATELIER_WORKER_TOKEN." },
  pool: { type: "string", about: "fill: the pool whose workers share weights, if the token is for several." },
  name: {
    type: "string",
    about: "push: the name to keep it under (default: the file's name). fill: this machine's name.",
  },
  "plain-http": { type: "boolean", about: "fill: allow a remote server without TLS." },
  ...fillOptions,
} as const satisfies Options;

export const workerFillOptions = {
  env: {
    type: "string",
    about: "Make the application's folder equal to this lock first: a file, or an environment on the server.",
  },
  python: { type: "string", about: "--env: the interpreter that runs the application (default: its venv)." },
  "without-python": { type: "boolean", about: "--env: leave Python and its packages alone." },
  ...fillOptions,
} as const satisfies Options;
