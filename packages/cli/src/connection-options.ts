// The flags shared by all commands that talk to a server.
import type { ListedCommand } from "@atelier/server/commands";
import { flag, text, texts } from "./options.ts";

type Options = ListedCommand["options"];

export const connectionOptions = {
  "base-url": text("The server's address; also ATELIER_URL (default: the data folder's server)."),
  key: text("The API key; prefer ATELIER_API_KEY."),
  home: text("The data folder to find the server and its first key in (default: ./.atelier)."),
} as const satisfies Options;

export const adminOptions = {
  "base-url": connectionOptions["base-url"],
  "admin-token": text("The operator's token; prefer ATELIER_ADMIN_TOKEN."),
} as const satisfies Options;

export const yesOption = { yes: flag("Don't ask for confirmation.") } as const satisfies Options;

// Of `run` of a model and of a work, which is called like one.
export const callOptions = {
  queue: flag("run: queue the call on the server instead of holding a connection."),
  "no-wait": flag("run --queue: print the request id and exit; fetch the result with atelier requests get."),
  "webhook-url": text("run --queue: send a webhook to this URL when the call completes."),
  "idempotency-key": text("run: repeat a call under the same key without paying twice (default: a new key)."),
  "dry-run": flag("run: show what it would cost, without running it."),
  "max-credits": text("run: refuse the call before it starts if it could cost more than this."),
  tag: texts("run: count the call under this tag, key=value. Repeatable."),
  "end-user": text("run: your own id for the person the call is for."),
} as const satisfies Options;
