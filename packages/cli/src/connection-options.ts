// The flags shared by all commands that talk to a server.
import type { ListedCommand } from "@atelier/server/commands";

type Options = ListedCommand["options"];

export const connectionOptions = {
  "base-url": {
    type: "string",
    about: "The server's address (ATELIER_URL); that of the data folder's server if absent.",
  },
  key: { type: "string", about: "The API key; better in ATELIER_API_KEY." },
  home: {
    type: "string",
    about: "The data folder whose server and first key are meant when nothing else is said; ./.atelier.",
  },
} as const satisfies Options;

export const adminOptions = {
  "base-url": connectionOptions["base-url"],
  "admin-token": { type: "string", about: "The operator's token; better in ATELIER_ADMIN_TOKEN." },
} as const satisfies Options;

export const yesOption = { yes: { type: "boolean", about: "Do not ask." } } as const satisfies Options;
