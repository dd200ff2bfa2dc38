// An address that names several servers of one database, one of which is writable (postgres://user@a:5432,b:5432/atelier).
// Every connection goes to the server last known to be writable. If it does not answer or turns out to be a standby, the next
// one is tried. All connections of a process with the same address share what they learn.
import { Client, type ClientConfig } from "pg";
import { addressesOf, withoutLimits } from "./connection.ts";

export interface Hosts {
  // One address per server.
  readonly addresses: readonly string[];
  current(): number;
  // Reports that the server with this index is not the writable one.
  leave(index: number): void;
}

const known = new Map<string, Hosts>();

// Null if the address names only one server, or is not a URL with a host.
export function hostsOf(address: string): Hosts | null {
  const found = known.get(address);
  if (found) return found;
  const addresses = addressesOf(address).map((each) => withoutLimits(each));
  if (addresses.length < 2) return null;
  let current = 0;
  const hosts: Hosts = {
    addresses,
    current: () => current,
    leave(index) {
      if (index === current) current = (current + 1) % addresses.length;
    },
  };
  known.set(address, hosts);
  return hosts;
}

// The driver's client, except that it refuses to connect to a server that cannot write.
export function clientFor(hosts: Hosts): typeof Client {
  return class WritingClient extends Client {
    readonly #index: number;
    #isStandby = false;

    constructor(config?: string | ClientConfig) {
      const index = hosts.current();
      super({ ...(typeof config === "object" ? config : {}), connectionString: hosts.addresses[index] ?? "" });
      this.#index = index;
      const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
      connection.on("parameterStatus", ({ parameterName, parameterValue }) => {
        if (parameterName === "in_hot_standby") this.#isStandby = parameterValue === "on";
      });
    }

    override connect(): Promise<Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void;
    override connect(callback?: unknown): Promise<Client> | undefined {
      const connecting = this.#connect();
      if (typeof callback !== "function") return connecting;
      connecting.then(
        () => callback(null, this),
        (error) => callback(error),
      );
      return undefined;
    }

    async #connect(): Promise<Client> {
      try {
        await super.connect();
      } catch (error) {
        hosts.leave(this.#index);
        throw error;
      }
      if (!this.#isStandby) return this;
      hosts.leave(this.#index);
      await this.end().catch(() => undefined);
      throw Object.assign(new Error("This database server is a standby."), { code: "25006" });
    }
  };
}

// The client class for connections to this address.
export function clientClassFor(connection: unknown): typeof Client {
  const hosts = typeof connection === "string" ? hostsOf(connection) : null;
  return hosts === null ? Client : clientFor(hosts);
}

// How many servers there are to try.
export function countHosts(connection: unknown): number {
  return typeof connection === "string" ? (hostsOf(connection)?.addresses.length ?? 1) : 1;
}
