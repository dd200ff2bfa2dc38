// A front for several gateways that gives each request to the next one. Bytes pass through unchanged, so that requests
// which no proxy would forward still reach a gateway. It adds one thing: each request asks to close its connection
// afterwards, so that the same client's next request reaches another gateway.
import { createServer, connect as dial, type Socket } from "node:net";

export interface RoundRobinFront {
  readonly port: number;
  // The ports that take turns; none until this is first called.
  to(ports: readonly number[]): void;
  // How many requests each of them received, in the order of the ports.
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
    to(next) {
      ports = next;
      given.splice(0, given.length, ...next.map(() => 0));
    },
    async close() {
      for (const client of open) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(client: Socket, port: number): void {
  const gateway = dial({ host: "127.0.0.1", port, allowHalfOpen: true });
  // When one side goes away, the other sees it as it would without this front. What a gateway sent before closing still
  // arrives.
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

// Well-behaved clients send the head in one piece. An upgrade is left alone: its Connection header names the upgrade.
function closing(bytes: Buffer): Buffer {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, Math.max(0, end)).toString("latin1");
  if (!/^\S+ \S+ HTTP\/1\.1\r\n/.test(head) || /\r\nupgrade:/i.test(head)) return bytes;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from("\r\nConnection: close"), bytes.subarray(end)]);
}
