// An S3-compatible store for one test: the one ATELIER_TEST_S3 names (an s3:// address, credentials beside it), or a
// small one from npm in a separate process on loopback. Each test gets its own prefix in the bucket.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface TestS3 {
  // s3://bucket/prefix?…
  readonly address: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  // Whether If-None-Match on a write is honoured and unfinished uploads can be listed.
  readonly isThorough: boolean;
  close(): Promise<void>;
}

// `seconds`: the longest that the small server lives, even if this process cannot stop it.
export async function testS3(seconds = 600): Promise<TestS3> {
  const given = process.env["ATELIER_TEST_S3"];
  const prefix = `test-${randomBytes(6).toString("hex")}`;
  if (given) {
    const url = new URL(given);
    url.pathname = `/${prefix}`;
    const accessKeyId = process.env["ATELIER_TEST_S3_ACCESS_KEY_ID"] ?? "";
    const secretAccessKey = process.env["ATELIER_TEST_S3_SECRET_ACCESS_KEY"] ?? "";
    return {
      address: url.href,
      credentials: { accessKeyId, secretAccessKey },
      isThorough: true,
      close: async () => {},
    };
  }
  const server = await startServer(seconds);
  return {
    address: `s3://atelier-test/${prefix}?endpoint=http://127.0.0.1:${server.port}&path-style=1`,
    credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    isThorough: false,
    close: server.close,
  };
}

// The server ends with this process, however that ends, because its standard input closes.
async function startServer(seconds: number): Promise<{ port: number; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-s3-"));
  const program = join(import.meta.dirname, "test-s3-server.ts");
  // s3rver encrypts the token for the second page of a list (after 1,000 objects) with DES.
  const child = spawn(process.execPath, ["--openssl-legacy-provider", program, folder, `${seconds}`], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (line) => resolve(Number(line)));
    ended.then(() => reject(new Error("The S3 server of the tests ended before it listened.")));
  });
  return {
    port,
    async close() {
      child.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
