// What stands before several gateways and gives each request to the next of them. Bytes go through as they came, so that
// forms which no proxy would pass on still reach a gateway. One thing is added: each request asks for its connection to be closed
// after it, so that the next one of the same client reaches another gateway.
import { createServer, connect as dial, type Socket } from "node:net";

export interface RoundRobinFront {
  readonly port: number;
  // Ports that take turns; none before the first is told.
  to(ports: readonly number[]): void;
  // How many requests each of them was given, in the order of the ports.
  readonly given: readonly number[];
  close(): Promise<void>;
}

export async function roundRobinFront(): Promise<RoundRobinFront> {
  let ports: readonly number[] = [];
  let turn = 0;
  const given: number[] = [];
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.once("close", () => open.delete(client));
    const index = turn++ % Math.max(1, ports.length);
    given[index] = (given[index] ?? 0) + 1;
    join(client, ports[index] ?? 0);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    given,
    to(told) {
      ports = told;
      given.splice(0, given.length, ...told.map(() => 0));
    },
    async close() {
      for (const client of open) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(client: Socket, port: number): void {
  const gateway = dial({ host: "127.0.0.1", port, allowHalfOpen: true });
  // Who goes away is told to the other as it would be without us; what a gateway said before it closed still arrives.
  client.on("error", () => gateway.destroy());
  client.on("close", () => gateway.destroy());
  gateway.on("error", () => undefined);
  gateway.on("close", () => {
    client.unpipe(gateway);
    client.resume().end();
  });
  client.once("data", (first: Buffer) => {
    gateway.write(closing(first));
    client.pipe(gateway);
  });
  client.once("end", () => gateway.end());
  gateway.pipe(client);
}

// Heads come in one piece from those who mean well. An upgrade names what its connection becomes.
function closing(bytes: Buffer): Buffer {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, Math.max(0, end)).toString("latin1");
  if (!/^\S+ \S+ HTTP\/1\.1\r\n/.test(head) || /\r\nupgrade:/i.test(head)) return bytes;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from("\r\nConnection: close"), bytes.subarray(end)]);
}
