// The process behind testS3(): s3rver on a free loopback port. It prints the port and exits when its standard input
// closes, or after the given number of seconds. Known limits: it ignores If-None-Match, cannot list unfinished uploads
// and takes the range 0-0 for the whole.
import { mkdir, rename, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
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

// s3rver answers before all bytes are written, and overwrites objects while others read them. Real stores do neither, so
// here an object is written elsewhere first and takes its name when it is whole.
const { store } = server;
const put = store.putObject.bind(store);
let puts = 0;
store.putObject = async (object) => {
  puts += 1;
  const draft = { bucket: ".drafts", key: String(puts) };
  const answer = await put(Object.assign(Object.create(Object.getPrototypeOf(object)), object, draft));
  const pathOf = ({ bucket, key }: StoredObject, resource: string) => store.getResourcePath(bucket, key, resource);
  for (let look = 0; look < 10_000; look++) {
    if ((await stat(pathOf(draft, "object"))).size === answer.size) break;
    await sleep(3);
  }
  for (const resource of ["metadata.json", "object.md5", "object"])
    await moveTo(pathOf(draft, resource), pathOf(object, resource));
  return answer;
};

// Other requests may remove an emptied folder at any moment.
async function moveTo(from: string, to: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await mkdir(dirname(to), { recursive: true });
    try {
      return await rename(from, to);
    } catch (error) {
      if (tries > 100) throw error;
    }
  }
}

const { port } = await server.run();
process.stdout.write(`${port}\n`);
setTimeout(() => process.exit(), Number(process.argv[3]) * 1000).unref();
process.stdin.once("end", () => process.exit()).resume();
