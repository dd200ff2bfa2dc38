// The upper bound for node:http: the bytes of a file from memory to the client, without a signature or a record.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { listenAndSay } from "./ready.ts";

const folder = process.argv[2] ?? "";
const files = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const path = request.url ?? "";
  const bytes = files.get(path) ?? readFileSync(join(folder, path));
  files.set(path, bytes);
  response.writeHead(200, { "content-length": String(bytes.length), "content-type": "application/octet-stream" });
  response.end(bytes);
});
listenAndSay(server);
