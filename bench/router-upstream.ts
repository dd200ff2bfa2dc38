// The provider behind every gateway of the router bench: takes a POST, answers the same 2 kB. On bare sockets, because an HTTP
// framework would take time on the core it shares with the load generator.
import { createServer, type Socket } from "node:net";
import { listenAndSay } from "./ready.ts";

const document = {
  created: 1_760_000_000,
  data: [{ url: "https://files.example/picture.png", note: "x".repeat(1900) }],
};
const body = JSON.stringify(document);
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);

function converse(socket: Socket): void {
  let head: Buffer = Buffer.alloc(0);
  let missing = 0;
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    let rest = chunk;
    if (missing === 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      missing = Number(/content-length: *(\d+)/i.exec(head.toString("latin1", 0, end))?.[1] ?? 0);
      rest = head.subarray(end + 4);
      head = Buffer.alloc(0);
      if (missing === 0) return void socket.write(answer);
    }
    missing -= rest.length;
    if (missing < 0) socket.destroy();
    else if (missing === 0) socket.write(answer);
  });
}

listenAndSay(createServer(converse));
