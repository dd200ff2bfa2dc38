// Where bytes that users made are served: the setting says so, or the port on which the content listener found itself. Whoever
// makes addresses is given this before the listener exists, and asks it for the address each time.
import type { Config } from "../../config.ts";

export interface ContentAddress {
  url(): string;
  listensOn(port: number): void;
}

export function contentAddress(config: Pick<Config, "contentUrl" | "host">): ContentAddress {
  let url = config.contentUrl ?? "";
  return {
    url: () => url,
    listensOn(port) {
      if (url === "") url = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
    },
  };
}
