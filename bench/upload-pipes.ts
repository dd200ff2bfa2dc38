// What an upload is compared with, each a path of one small server: `/plain` writes the body of a request to a file and flushes
// it; `/unhashed` and `/hashed` are our own path from a form to a flushed file, without and with the hash. None keeps anything:
// each file is removed once flushed.
import { createWriteStream, fsyncSync, openSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openUploadForm } from "../packages/server/src/areas/workflows/assets/upload-form.ts";
import { type Blake3, blake3Stream } from "../packages/server/src/capabilities/blobs/blake3-stream.ts";
import { fileBlobStorage } from "../packages/server/src/capabilities/blobs/files/blob-storage.filesystem.ts";
import { blockPools } from "../packages/server/src/capabilities/blobs/files/block-pool.ts";
import { receiveBytes } from "../packages/server/src/capabilities/blobs/keeping/receive-bytes.ts";
import { systemClock } from "../packages/server/src/foundation/clock.ts";
import { listenAndSay } from "./ready.ts";

const directory = process.argv[2] ?? "";
const storage = fileBlobStorage({ directory, reserve: { bytes: 0, share: 0 } });
const pools = blockPools();
const hashed = blake3Stream();
const anyHash = "0".repeat(64);
const unhashed = async (): Promise<Blake3> => ({ update: () => undefined, digest: () => anyHash });

async function plain(request: IncomingMessage): Promise<void> {
  const file = join(directory, "plain.bin");
  const target = openSync(file, "w");
  await pipeline(request, createWriteStream(file, { fd: target, autoClose: false, highWaterMark: 1024 * 1024 }));
  fsyncSync(target);
  rmSync(file);
}

async function ours(request: IncomingMessage, hash: () => Promise<Blake3>): Promise<void> {
  const fileBytesMax = 8 * 1024 ** 3;
  const form = openUploadForm({ headers: request.headers, stream: request }, { fileBytesMax, clock: systemClock });
  await form.begun();
  const staging = await storage.stage();
  const received = await receiveBytes(form.file(), staging, await hash(), {
    bytesMax: fileBytesMax,
    pools,
    requireSpace: async () => undefined,
  });
  await staging.seal(received.hash);
  await staging.discard();
}

const ways: Readonly<Record<string, (request: IncomingMessage) => Promise<void>>> = {
  "/plain": plain,
  "/unhashed": (request) => ours(request, unhashed),
  "/hashed": (request) => ours(request, hashed),
};

const server = createServer(async (request, response) => {
  await ways[request.url ?? ""]?.(request);
  response.writeHead(201, { "content-length": "0" }).end();
});
server.requestTimeout = 0;
listenAndSay(server);
