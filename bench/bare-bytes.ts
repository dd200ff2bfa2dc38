// The upper bound for node:http: the bytes of a file from memory to the client, without a signature or a record.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const folder = process.argv[2] ?? "";
const files = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const path = request.url ?? "";
  const bytes = files.get(path) ?? readFileSync(join(folder, path));
  files.set(path, bytes);
  response.writeHead(200, { "content-length": String(bytes.length), "content-type": "application/octet-stream" });
  response.end(bytes);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once("SIGTERM", () => process.exit(0));
