// A port of this machine that a test names before it listens there. Below the range from which the system gives ports to
// everybody who asks for any, so that nobody is given it in between.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(23_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
