// The process behind testS3(): s3rver on a free loopback port. It prints the port and ends when its standard input does,
// or after the seconds it was given. Known of it: it ignores If-None-Match, cannot list unfinished uploads, takes the range 0-0 for
// the whole, and writes an object in place, so that a cut upload cuts what was there.
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

interface StoredObject {
  readonly bucket: string;
  readonly key: string;
}

interface S3Server {
  run(): Promise<{ readonly port: number }>;
  readonly store: {
    putObject(object: StoredObject): Promise<{ readonly size: number }>;
    getResourcePath(bucket: string, key: string, resource: string): string;
  };
}

const S3rver: new (options: Readonly<Record<string, unknown>>) => S3Server = createRequire(import.meta.url)("s3rver");
const server = new S3rver({
  address: "127.0.0.1",
  port: 0,
  silent: true,
  directory: process.argv[2],
  configureBuckets: [{ name: "atelier-test" }],
});

// It answers when it has the bytes, some of them not yet written; the next request would read too few.
const { store } = server;
const put = store.putObject.bind(store);
store.putObject = async (object) => {
  const answer = await put(object);
  const path = store.getResourcePath(object.bucket, object.key, "object");
  for (let look = 0; look < 10_000; look++) {
    if ((await stat(path)).size === answer.size) break;
    await sleep(3);
  }
  return answer;
};

const { port } = await server.run();
process.stdout.write(`${port}\n`);
setTimeout(() => process.exit(), Number(process.argv[3]) * 1000).unref();
process.stdin.once("end", () => process.exit()).resume();
