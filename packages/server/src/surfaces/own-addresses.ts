// The URLs of this process, taken from settings or from the ports its listeners end up with. Code that builds URLs gets this
// object before anything listens, and asks for the URL each time.
// Decisions, section 6: where an application listens on this machine.
const applicationPort = 8188;

export interface OwnAddresses {
  port(): number;
  listensOn(port: number): void;
  // Where this process listens, whatever its public URL.
  ownUrl(): string;
  baseUrl(): string;
  platformUrl(): string;
  // The ports of our listeners and the application.
  ownPorts(): readonly number[];
}

export interface AddressSettings {
  readonly host: string;
  readonly port: number;
  readonly contentPort: number | null;
  readonly baseUrl: string | null;
  readonly platformUrl: string | null;
}

export function ownAddresses(config: AddressSettings): OwnAddresses {
  let port = config.port;
  const ownUrl = () => urlOn(config.host, port);
  const baseUrl = () => config.baseUrl ?? ownUrl();
  return {
    port: () => port,
    listensOn(listening) {
      port = listening;
    },
    ownUrl,
    baseUrl,
    platformUrl: () => config.platformUrl ?? baseUrl(),
    ownPorts: () => [port, config.contentPort ?? port + 1, applicationPort],
  };
}

// Where user-made content is served.
export interface ContentAddress {
  url(): string;
  listensOn(port: number): void;
}

export function contentAddress(config: { readonly contentUrl: string | null; readonly host: string }): ContentAddress {
  let url = config.contentUrl ?? "";
  return {
    url: () => url,
    listensOn(port) {
      if (url === "") url = urlOn(config.host, port);
    },
  };
}

function urlOn(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
