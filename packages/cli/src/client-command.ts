// What a command that talks to a server looks like in the list, and the flags that all of them know. The server's own
// commands have the same shape; a flag here may also have a short form and be given several times.
import type { ListedCommand } from "@atelier/server/commands";

type CommandOption = ListedCommand["options"][string];

export interface ClientOption extends CommandOption {
  readonly short?: string;
  readonly multiple?: boolean;
}

export interface ClientCommand extends ListedCommand {
  readonly options: Readonly<Record<string, ClientOption>>;
}

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
} as const satisfies Readonly<Record<string, ClientOption>>;

export const adminOptions = {
  "base-url": connectionOptions["base-url"],
  "admin-token": { type: "string", about: "The operator's token; better in ATELIER_ADMIN_TOKEN." },
} as const satisfies Readonly<Record<string, ClientOption>>;

export const yesOption = { yes: { type: "boolean", about: "Do not ask." } } as const satisfies Readonly<
  Record<string, ClientOption>
>;
