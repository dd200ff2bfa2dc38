// A relay between a command and a server. It can hold a request back, and it can be unreachable for a while.
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

interface Relay {
  readonly url: string;
  // Holds matching requests from now on; resolves when the first one is waiting.
  hold(isHeld: (request: IncomingMessage) => boolean): Promise<void>;
  letGo(): void;
  leave(): void;
  comeBack(): void;
  close(): Promise<void>;
}

export async function openRelay(target: string): Promise<Relay> {
  let held = Promise.withResolvers<void>();
  let released = Promise.withResolvers<void>();
  let isHeld: (request: IncomingMessage) => boolean = () => false;
  let isAway = false;
  const server = createServer(async (asked, answer) => {
    if (isHeld(asked)) {
      held.resolve();
      await released.promise;
    }
    passOn(target, asked, answer);
  });
  server.on("connection", (socket) => void (isAway && socket.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    hold(which) {
      isHeld = which;
      [held, released] = [Promise.withResolvers(), Promise.withResolvers()];
      return held.promise;
    },
    letGo() {
      isHeld = () => false;
      released.resolve();
    },
    leave() {
      isAway = true;
      server.closeAllConnections();
    },
    comeBack() {
      isAway = false;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function passOn(target: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url = "/" } = asked;
  const { host } = new URL(target);
  const onwards = request(new URL(url, target), { method, headers: { ...headers, host } }, (theirs) => {
    answer.writeHead(theirs.statusCode ?? 502, theirs.headers);
    theirs.pipe(answer);
    theirs.on("error", () => answer.destroy());
  });
  onwards.on("error", () => answer.destroy());
  answer.on("close", () => onwards.destroy());
  asked.pipe(onwards);
}
