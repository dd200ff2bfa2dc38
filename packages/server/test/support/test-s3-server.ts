// The process behind testS3(): s3rver on a free loopback port. It prints the port and ends when its standard input does,
// or after ten minutes. Known of it: it ignores If-None-Match and cannot list unfinished uploads.
import { createRequire } from "node:module";

interface S3Server {
  run(): Promise<{ readonly port: number }>;
}

const S3rver: new (options: Readonly<Record<string, unknown>>) => S3Server = createRequire(import.meta.url)("s3rver");
const server = new S3rver({
  address: "127.0.0.1",
  port: 0,
  silent: true,
  directory: process.argv[2],
  configureBuckets: [{ name: "atelier-test" }],
});
const { port } = await server.run();
process.stdout.write(`${port}\n`);
setTimeout(() => process.exit(), 600_000).unref();
process.stdin.once("end", () => process.exit()).resume();
