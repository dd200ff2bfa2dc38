// Several jobs by one command, and model calls that wait on the server, as a person types them.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type ServerProcess, startServerProcess, until } from "../../server/test/support/server-process.ts";
import { atelier, dataOf, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
const home = join(folder.path, "home");
const adminToken = "admin-token-of-the-batch-command-tests";
let server: ServerProcess;

before(async () => {
  const env = { ATELIER_SANDBOX: "auto", ATELIER_DRAIN_SECONDS: "1", ATELIER_ADMIN_TOKEN: adminToken };
  server = await startServerProcess({ home, env });
});
after(async () => {
  await server.kill("SIGTERM");
  folder.remove();
});

const env = () => ({ ATELIER_URL: server.baseUrl, ATELIER_HOME: home });
const call = (...words: string[]) => atelier(words, { folder: folder.path, env: env() });
const run = (words: readonly string[]) => call("run", ...words);
const labelled = async (label: string): Promise<string | undefined> =>
  (await call("jobs", "ls", "--label", label)).out.split("\t")[1];
const file = (name: string, graph: unknown): string => {
  const path = join(folder.path, name);
  writeFileSync(path, JSON.stringify(graph));
  return path;
};
const plain = {
  "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "a" } },
};
// A model's small picture; the seed decides what it is.
const seeded = (parameters: object = {}) => ({
  "1": {
    class_type: "AtelierModelImage",
    inputs: {
      model: "sandbox/image-1",
      prompt: "x",
      width: 64,
      height: 64,
      seed: 1,
      parameters: JSON.stringify(parameters),
    },
  },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "seeded" } },
});

test("eight seeds in one command give eight files, named by label and seed, each with every digit of 64 bits", async () => {
  const out = join(folder.path, "eight");
  const first = 2n ** 64n - 8n;
  const words = [
    file("fox.json", seeded()),
    "--repeat",
    "8",
    "--seed",
    String(first),
    "-o",
    `${out}/{label}_{seed}.{ext}`,
  ];
  const ran = await run(words);
  assert.equal(ran.code, 0, ran.err);
  const names = Array.from({ length: 8 }, (_, at) => `fox_${first + BigInt(at)}.png`);
  assert.deepEqual(readdirSync(out).sort(), names);
  const rows = ran.out
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  assert.deepEqual(
    rows.map(([, label, , state]) => [label, state]),
    names.map(() => ["fox", "succeeded"]),
  );
  assert.deepEqual(
    rows.map((row) => row.at(-1)),
    names.map((name) => join(out, name)),
  );
  assert.match(ran.err, /^✓ 8 of 8 succeeded/m);
  assert.equal(new Set(names.map((name) => readFileSync(join(out, name), "base64"))).size, 8, "each its own picture");
  const listed = await call("jobs", "ls", "--label", "fox");
  assert.equal(listed.out.trim().split("\n").length, 8, "the workflow's file is the label");
});

test("every file makes a job; one that fails does not stop the others, and the exit code says so", async () => {
  const photos = join(folder.path, "photos");
  mkdirSync(photos);
  await run([file("a.json", plain), "-o", photos]);
  writeFileSync(join(photos, "broken.png"), "no picture");
  const loading = {
    "1": { class_type: "LoadImage", inputs: { image: "" } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "each" } },
  };
  const out = join(folder.path, "each");
  const words = [
    file("each.json", loading),
    "--each",
    `${photos}/*.png`,
    "--repeat",
    "2",
    "-o",
    `${out}/{each}`,
    "--json",
  ];
  const ran = await run(words);
  assert.equal(ran.code, 6, ran.out + ran.err);
  interface Entry {
    readonly file: string;
    readonly status: string;
  }
  const { jobs, succeeded } = dataOf<{ jobs: Entry[]; succeeded: number }>(ran);
  assert.equal(succeeded, 2);
  assert.deepEqual(jobs.map(({ status }) => status).sort(), ["failed", "failed", "succeeded", "succeeded"]);
  assert.deepEqual(readdirSync(out).sort(), ["a_00001_.png", "a_00002_.png"], "the counter goes on");
});

test("a template without a field, and a graph that is refused, make no job", async () => {
  const [unknown, refused] = await Promise.all([
    run([file("fox.json", seeded()), "--repeat", "3", "-o", "{lable}", "--label", "never"]),
    run([file("no.json", { "1": { class_type: "NoSuchClass", inputs: {} } }), "--repeat", "3", "--label", "never"]),
  ]);
  assert.equal(unknown.code, 2, unknown.err);
  assert.match(unknown.err, /Did you mean "label"\?/);
  assert.equal(refused.code, 5, refused.err);
  assert.equal(refused.err.match(/^✕/gm)?.length, 1, "told once, not three times");
  assert.equal(await labelled("never"), undefined);
});

test("a full queue is waited for, and every job runs", async () => {
  const { workspace } = dataOf<{ workspace: { id: string } }>(await call("whoami", "--json"));
  const narrow = async (value: number) => {
    const answer = await fetch(`${server.baseUrl}/admin/workspaces/${workspace.id}/limits/jobs`, {
      method: "PUT",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ value }),
    });
    assert.equal(answer.status, 200, await answer.text());
  };
  await narrow(1);
  const ran = await run([file("full.json", seeded({ simulate_seconds: 0.5 })), "--repeat", "2", "-o", "full"]);
  await narrow(1000);
  assert.equal(ran.code, 0, ran.err);
  assert.equal(readdirSync(join(folder.path, "full")).length, 2);
});

test("Ctrl-C cancels every job of the command, also those that still wait", async () => {
  const ran = await atelier(
    ["run", file("slow.json", seeded({ simulate_seconds: 600 })), "--repeat", "5", "--label", "many", "--jsonl"],
    {
      folder: folder.path,
      env: env(),
      async started(child, printed) {
        await until("all are submitted", () => printed.out.match(/"submitted"/g)?.length === 5);
        child.kill("SIGINT");
      },
    },
  );
  assert.equal(ran.code, 130, ran.err);
  const result: { jobs: { status: string }[] } = JSON.parse(ran.out.trim().split("\n").at(-1) ?? "");
  assert.deepEqual(
    result.jobs.map(({ status }) => status),
    Array(5).fill("canceled"),
  );
  assert.equal(await labelled("many"), "canceled");
});

test("a queued model call is collected by its id, found in the list, and can no longer be cancelled", async () => {
  const queue = [
    "models",
    "run",
    "sandbox/image-1-queued",
    "-i",
    "prompt=x",
    "-i",
    "width=64",
    "-i",
    "height=64",
    "--queue",
  ];
  const [made, waited] = await Promise.all([call(...queue, "--no-wait"), call(...queue, "-o", "waited.png", "--json")]);
  const id = made.out.trim();
  assert.match(id, /^[0-9a-f-]{36}$/, made.err);
  assert.equal(waited.code, 0, waited.out);
  assert.deepEqual(dataOf<{ files: string[] }>(waited).files, ["waited.png"]);
  const got = await call("requests", "get", id, "-o", "got/");
  assert.equal(got.code, 0, got.err);
  assert.equal(readFileSync(join(folder.path, got.out.trim())).subarray(1, 4).toString("latin1"), "PNG");
  const [listed, shown, late, absent] = await Promise.all([
    call("requests", "ls", "--queued", "--status", "completed"),
    call("requests", "show", id),
    call("requests", "cancel", id),
    call("requests", "get", "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6"),
  ]);
  assert.deepEqual(
    listed.out
      .trim()
      .split("\n")
      .map((line) => line.split("\t").slice(1, 3)),
    Array(2).fill(["sandbox/image-1-queued", "COMPLETED"]),
  );
  assert.match(shown.out, /sandbox\/image-1-queued/);
  assert.deepEqual([late.code, absent.code], [5, 4], late.err + absent.err);
  assert.match(late.err, /already_completed/);
});

test("Ctrl-C while collecting a queued call leaves the call running", async () => {
  const slow = ["-i", "prompt=x", "-i", "simulate_seconds=600", "-i", "width=64", "-i", "height=64"];
  const made = await call("models", "run", "sandbox/image-1-queued", ...slow, "--queue", "--no-wait");
  const { code, err } = await atelier(["requests", "get", made.out.trim()], {
    folder: folder.path,
    env: env(),
    async started(child, printed) {
      await until("it waits", () => /^(running|queued)/m.test(printed.err));
      child.kill("SIGINT");
    },
  });
  assert.equal(code, 130, err);
  assert.match(err, /The request is still running\. Get its result: atelier requests get/);
});
