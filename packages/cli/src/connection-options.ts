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
