// A port that a test can name before it listens there. It is below the range from which the system hands out ports, so no
// other program is given it in between. It stays claimed while this process lives, so no other test process picks it: the
// claim is a listener on the same port of another loopback address.
import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

const claimAddress = "127.77.0.1";

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(23_000, 32_000);
    const claim = await listening(port, claimAddress);
    if (claim === "taken") continue;
    if (claim !== "no such address") claim.unref();
    const tried = await listening(port, "127.0.0.1");
    if (typeof tried !== "string") {
      await new Promise((resolve) => tried.close(resolve));
      return port;
    }
    if (claim !== "no such address") claim.close();
  }
}

// Not every system has more than one loopback address.
function listening(port: number, address: string): Promise<Server | "taken" | "no such address"> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "EADDRNOTAVAIL" ? "no such address" : "taken"),
    );
    server.listen(port, address, () => resolve(server));
  });
}
