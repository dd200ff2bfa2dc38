// Callers that send files in pieces (tus) to servers that die or leave. After an unacknowledged piece they ask for the
// upload's offset and continue from there, as resumable clients do. What was acknowledged as an asset must be the file,
// byte by byte.
import { createHash, randomBytes } from "node:crypto";
import { systemClock } from "../../src/foundation/clock.ts";
import { type AppAnswer, type AppRequest, bearer, textOf } from "../support/app-client.ts";
import type { RouterServer } from "./router-world.ts";
import type { Seeded } from "./seeded.ts";

export interface SentFile {
  readonly sha256: string;
  // Null if it was never acknowledged.
  asset: string | null;
}

export interface UploadClients {
  readonly files: readonly SentFile[];
  readonly troubles: readonly string[];
  stop(): Promise<void>;
}

// Waiting fixes these. 409: the piece is already there, or another one is still arriving; the offset says which.
const passing = [409, 423, 429, 500, 502, 503, 504];
// A writer that died blocks others for half a minute, and the next one may die too.
const patienceMs = 240_000;
const version = { "tus-resumable": "1.0.0" };

export function startUploadClients(options: {
  readonly lanes: number;
  readonly random: Seeded;
  readonly key: string;
  server(): RouterServer;
}): UploadClients {
  const files: SentFile[] = [];
  const troubles: string[] = [];
  let isOver = false;
  const authorization = bearer(options.key);

  // Null if the outcome is unknown.
  async function ask(request: AppRequest, wanted: number): Promise<AppAnswer | null> {
    const headers = { ...authorization, ...version, ...request.headers };
    const answer = await options
      .server()
      .client.call({ ...request, headers })
      .catch(() => null);
    if (answer === null || answer.status === wanted) return answer;
    if (!passing.includes(answer.status)) troubles.push(`${request.method} ${request.path} answered ${answer.status}`);
    return null;
  }

  async function send(random: Seeded): Promise<void> {
    const bytes = randomBytes(Math.floor(random.between(50_000, 600_000)));
    const file: SentFile = { sha256: createHash("sha256").update(bytes).digest("hex"), asset: null };
    files.push(file);
    const about = Object.entries({ file_path: `${file.sha256}.bin`, content_type: "application/octet-stream" })
      .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
      .join(",");
    // Every second upload gives its length only with the last piece.
    const isDeferred = random.between(0, 2) < 1;
    const length = { "upload-length": String(bytes.length) };
    const announced = { ...(isDeferred ? { "upload-defer-length": "1" } : length), "upload-metadata": about };
    const endMs = performance.now() + patienceMs;
    let path: string | null = null;
    let offset = 0;
    while (file.asset === null && performance.now() < endMs) {
      if (path === null) {
        const begun = await ask({ method: "POST", path: "/api/v2/uploads", headers: announced }, 201);
        path = begun === null ? null : String(begun.headers["location"]);
      } else {
        const piece = bytes.subarray(offset, offset + Math.ceil(bytes.length / 4));
        const type = { "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
        const isLast = offset + piece.length === bytes.length;
        const headers = { ...type, ...(isDeferred && isLast ? length : {}) };
        const sent = await ask({ method: "PATCH", path, headers, body: piece }, 204);
        const asset = sent?.headers["location"];
        if (typeof asset === "string") file.asset = asset;
        const known = sent ?? (await ask({ method: "HEAD", path }, 200));
        if (known !== null) offset = Number(known.headers["upload-offset"]);
        // The last piece was taken but its answer was lost: an empty piece asks for the result.
      }
      await systemClock.sleep(random.between(20, 400));
    }
    if (file.asset === null && !isOver) troubles.push(`an upload was never taken: ${path} at ${offset}`);
  }

  const lanes = Array.from({ length: options.lanes }, async (_, index) => {
    const random = options.random.stream(`uploads ${index}`);
    while (!isOver) await send(random);
  });
  return {
    files,
    troubles,
    async stop() {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

// Files that were acknowledged but are missing or differ from what was sent.
export async function wrongFiles(key: string, server: RouterServer, files: readonly SentFile[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { asset, sha256 } of files) {
    if (asset === null) continue;
    const found = await server.client.call({ path: asset, headers: bearer(key) });
    const content = found.status === 200 ? await fetch(textOf(found.json(), "url")) : null;
    const bytes = content?.ok ? Buffer.from(await content.arrayBuffer()) : Buffer.alloc(0);
    if (createHash("sha256").update(bytes).digest("hex") !== sha256)
      wrong.push(`${asset} was acknowledged and is not what was sent (${found.status}, ${content?.status})`);
  }
  return wrong;
}
