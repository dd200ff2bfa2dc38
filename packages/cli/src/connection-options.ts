// The flags shared by all commands that talk to a server.
import type { ListedCommand } from "@atelier/server/commands";

type Options = ListedCommand["options"];

export const connectionOptions = {
  "base-url": {
    type: "string",
    about: "The server's address; also ATELIER_URL (default: the data folder's server).",
  },
  key: { type: "string", about: "The API key; prefer ATELIER_API_KEY." },
  home: {
    type: "string",
    about: "The data folder to find the server and its first key in (default: ./.atelier).",
  },
} as const satisfies Options;

export const adminOptions = {
  "base-url": connectionOptions["base-url"],
  "admin-token": { type: "string", about: "The operator's token; prefer ATELIER_ADMIN_TOKEN." },
} as const satisfies Options;

export const yesOption = { yes: { type: "boolean", about: "Don't ask for confirmation." } } as const satisfies Options;

// Of `run` of a model and of a work, which is called like one.
export const callOptions = {
  queue: { type: "boolean", about: "run: queue the call on the server instead of holding a connection." },
  "no-wait": {
    type: "boolean",
    about: "run --queue: print the request id and exit; fetch the result with atelier requests get.",
  },
  "webhook-url": { type: "string", about: "run --queue: send a webhook to this URL when the call completes." },
  "idempotency-key": {
    type: "string",
    about: "run: repeat a call under the same key without paying twice (default: a new key).",
  },
  "dry-run": { type: "boolean", about: "run: show what it would cost, without running it." },
  "max-credits": {
    type: "string",
    about: "run: refuse the call before it starts if it could cost more than this.",
  },
  tag: { type: "string", multiple: true, about: "run: count the call under this tag, key=value. Repeatable." },
  "end-user": { type: "string", about: "run: your own id for the person the call is for." },
} as const satisfies Options;
