// A proxy between us and PostgreSQL that can cut the connection at a chosen moment: it forwards bytes and shows what we
// send.
import { connect, createServer, type Socket } from "node:net";

export interface TestWire {
  // postgres:// address of the proxy, for the database that `target` names.
  readonly url: string;
  // Called with each piece we send. "cut before" drops it and the connection, "cut after" lets it through and drops the
  // connection when the answer comes, "swallow" drops it and leaves the connection open.
  onSent: ((bytes: Buffer) => "pass" | "cut before" | "cut after" | "swallow") | undefined;
  // New connections wait for `hold` before any byte gets through; `connections` counts them.
  hold: Promise<void> | undefined;
  readonly connections: number;
  close(): Promise<void>;
}

export async function testWire(target: string): Promise<TestWire> {
  const sockets = new Set<Socket>();
  const address = new URL(target);
  const folder = address.searchParams.get("host");
  let connections = 0;
  const server = createServer((ours) => {
    connections += 1;
    ours.pause();
    void Promise.resolve(wire.hold).then(() => ours.resume());
    const theirs = folder
      ? connect(`${folder}/.s.PGSQL.${address.port || 5432}`)
      : connect(Number(address.port || 5432), address.hostname);
    let cutAtAnswer = false;
    const cut = () => {
      ours.destroy();
      theirs.destroy();
    };
    for (const socket of [ours, theirs]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        cut();
      });
    }
    ours.on("data", (bytes) => {
      const verdict = wire.onSent?.(Buffer.from(bytes)) ?? "pass";
      if (verdict === "cut before") return cut();
      if (verdict === "swallow") return;
      if (verdict === "cut after") cutAtAnswer = true;
      theirs.write(bytes);
    });
    theirs.on("data", (bytes) => {
      if (cutAtAnswer) cut();
      else ours.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Does not keep a test that fails before closing it from ending.
  server.unref();
  const listening = server.address();
  const port = typeof listening === "object" && listening ? listening.port : 0;
  const wire: TestWire = {
    // A busy machine is slow to connect, and these tests are about how long an answer may take.
    url: `postgres://${address.username}@127.0.0.1:${port}${address.pathname}?connect_timeout=60`,
    onSent: undefined,
    hold: undefined,
    get connections() {
      return connections;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return wire;
}
