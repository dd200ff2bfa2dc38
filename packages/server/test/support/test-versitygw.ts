// A real S3 gateway for tests, on loopback and over a folder, if the machine has one: versitygw, a single-file program
// that `go install` builds. It can be killed and restarted over the same folder.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endsWithUs } from "./ends-with-us.ts";
import { freePort } from "./free-port.ts";
import { isListening } from "./is-listening.ts";

const bucket = "atelier-test";
const program = [process.env["ATELIER_TEST_VERSITYGW"] ?? "", "versitygw", join(homedir(), "go/bin/versitygw")].find(
  (each) => each !== "" && spawnSync(each, ["--version"], { stdio: "ignore" }).status === 0,
);
export const hasVersitygw = program !== undefined;

export interface TestStore {
  // s3://bucket/prefix?…
  readonly address: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  start(): Promise<void>;
  // Kills it like a machine that loses power.
  kill(): Promise<void>;
  close(): Promise<void>;
}

export async function testVersitygw(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-versitygw-"));
  await mkdir(join(folder, bucket));
  const port = await freePort();
  const credentials = {
    accessKeyId: randomBytes(10).toString("hex"),
    secretAccessKey: randomBytes(20).toString("hex"),
  };
  let child: ChildProcess | null = null;
  const kill = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return {
    address: `s3://${bucket}/fleet?endpoint=http://127.0.0.1:${port}&path-style=1`,
    credentials,
    async start() {
      const env = {
        PATH: process.env["PATH"] ?? "",
        ROOT_ACCESS_KEY: credentials.accessKeyId,
        ROOT_SECRET_KEY: credentials.secretAccessKey,
      };
      const words = ["--port", `127.0.0.1:${port}`, "posix", folder];
      child = endsWithUs(spawn(program ?? "versitygw", words, { env, stdio: "ignore" }));
      for (let tries = 0; !(await isListening(port)); tries += 1) {
        if (tries > 1_000 || child.exitCode !== null) throw new Error(`versitygw did not start (${child.exitCode})`);
        await sleep(20);
      }
    },
    kill,
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
