// A workspace moves between two servers as shipped while jobs and model calls run and its clients go on submitting; the old server
// is killed in the middle. Nothing that was accepted is lost, nothing is done twice, and old links say where it went.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type AppAnswer, bearer, textOf } from "./support/app-client.ts";
import { type AsShippedServer, startAsShipped } from "./support/as-shipped-server.ts";
import { freePort } from "./support/free-port.ts";
import { collectOutput, runAtelier, until } from "./support/server-process.ts";

const graph = (color: number) => ({
  "1": { class_type: "EmptyImage", inputs: { width: 256, height: 192, batch_size: 2, color } },
  "2": { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 8, sigma: 3 } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "moved" } },
});

interface Sent {
  readonly key: string;
  readonly path: string;
  readonly body: object;
  // The answer that accepted it. Null if none came, or it was refused.
  answer: AppAnswer | null;
}

// One client: each request under its own key, repeated until a server answers or says where the workspace went.
async function send(server: () => AsShippedServer, path: string, bodyOf: (at: number) => object, sent: Sent[]) {
  for (let at = 0; ; at++) {
    const one: Sent = { key: randomUUID(), path, body: bodyOf(at), answer: null };
    sent.push(one);
    const headers = { "idempotency-key": one.key };
    const answer = await until("an answer", () => server().call({ method: "POST", path, headers, body: one.body }));
    if (answer.status === 403) return answer;
    assert.ok(answer.status < 300 || answer.status === 503 || answer.status === 429, `${path}: ${answer.text}`);
    if (answer.status < 300) one.answer = answer;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function command(home: string, ...words: string[]): Promise<string> {
  const { code, out, err } = await collectOutput(runAtelier(words, { ATELIER_HOME: home, ATELIER_LOG_LEVEL: "error" }));
  assert.equal(code, 0, `${words.join(" ")}: ${out}\n${err}`);
  return out.trim();
}

interface Output {
  readonly id: string;
  readonly url: string;
  readonly hash: string;
}

async function outputsOf(server: AsShippedServer, key: string, id: string): Promise<readonly Output[]> {
  const answer = await server.call({ path: `/api/v2/jobs/${id}`, headers: bearer(key) });
  assert.equal(answer.status, 200, answer.text);
  const job = answer.json() as { status: string; outputs: Output[] };
  assert.equal(job.status, "succeeded", answer.text);
  return job.outputs;
}

// What a file's address leads to, and the signed address that it led through.
async function contentOf(server: AsShippedServer, key: string, { url }: Output) {
  const fetched = await fetch(new URL(url, server.baseUrl), { headers: bearer(key) });
  assert.equal(fetched.status, 200, url);
  const sha256 = createHash("sha256").update(Buffer.from(await fetched.arrayBuffer()));
  return { sha256: sha256.digest("hex"), signed: fetched.url };
}

const hashesOf = (server: AsShippedServer, key: string, outputs: readonly Output[]) =>
  Promise.all(outputs.map(async (output) => (await contentOf(server, key, output)).sha256));

test("moved while it works, with a kill in the middle: nothing is lost or done twice, and old links say where it went", {
  timeout: 1_800_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "atelier-moved-"));
  const homes = { old: join(folder, "old"), other: join(folder, "other") };
  const ports = { ATELIER_PORT: String(await freePort()), ATELIER_CONTENT_PORT: String(await freePort()) };
  let old = await startAsShipped({ home: homes.old, env: ports });
  const other = await startAsShipped({ home: homes.other });
  try {
    const account = await old.call({ path: "/account" });
    const id = textOf(account.json(), "workspace", "id");
    const { jobs, calls, requests }: Record<"jobs" | "calls" | "requests", Sent[]> = {
      jobs: [],
      calls: [],
      requests: [],
    };
    const clients = Promise.all([
      send(
        () => old,
        "/api/v2/jobs",
        (at) => ({ workflow: graph(at + 1) }),
        jobs,
      ),
      send(
        () => old,
        "/v1/models/sandbox/image-1",
        (at) => ({ prompt: `call ${at}`, simulate_seconds: 1 }),
        calls,
      ),
      send(
        () => old,
        "/v1/models/sandbox/image-1/requests",
        (at) => ({ prompt: `queued ${at}`, simulate_seconds: 1 }),
        requests,
      ),
    ]);
    await until("much is under way", () => jobs.length > 12 && calls.length > 3 && requests.length > 6);

    const moved = join(folder, "moved");
    const leaving = command(homes.old, "workspace", "move", id, "--to", other.baseUrl, "--export", moved);
    leaving.catch(() => undefined);
    await until("the move began", async () =>
      (await old.call({ path: `/account/workspaces/${id}/move` })).text.includes("moving"),
    );
    await old.stop("SIGKILL");
    await old.close();
    old = await startAsShipped({ home: homes.old, env: ports });
    for (const refused of await clients)
      assert.ok(refused.text.includes(`is moving to ${other.baseUrl}`), refused.text);
    await leaving;

    const accepted = jobs.flatMap(({ answer }) => (answer === null ? [] : [textOf(answer.json(), "id")]));
    assert.ok(accepted.length > 10, `${accepted.length} jobs`);
    const made = new Map<string, readonly string[]>();
    for (const job of accepted) {
      const outputs = await outputsOf(old, old.key, job);
      made.set(job, await hashesOf(old, old.key, outputs));
    }
    const [first = ""] = accepted;
    const [link] = await outputsOf(old, old.key, first);
    assert.ok(link);
    const { signed: signedLink } = await contentOf(old, old.key, link);
    await command(homes.old, "workspace", "move", id, "--done");
    await until("the old server heard of it", async () => (await old.call({ path: "/api/v2/jobs" })).status === 403);

    const from = await command(homes.old, "workspace", "signer");
    await command(homes.other, "workspace", "import", moved, "--from", from, "--credits");
    const key = await command(homes.other, "keys", "create", "moved", "--workspace", id);
    const headers = bearer(key);
    for (const [job, hashes] of made) {
      const outputs = await outputsOf(other, key, job);
      assert.deepEqual(await hashesOf(other, key, outputs), hashes, job);
    }

    // Old links, with the old key, a signature or none of the new server's keys.
    const asset = `/api/v2/assets/${link.id}`;
    for (const path of [`/api/v2/jobs/${first}`, asset, "/v1/models"]) {
      const answer = await old.call({ path });
      assert.equal(answer.status, 403, `${path}: ${answer.text}`);
      assert.ok(answer.text.includes(`moved to ${other.baseUrl}`), answer.text);
      assert.equal((await other.call({ path, headers })).status, 200, path);
    }
    const signed = await fetch(signedLink);
    assert.equal(signed.status, 403);
    assert.match(await signed.text(), new RegExp(`"moved_to":"${other.baseUrl}"`));

    // Every request repeated at the new server, as a client does that missed its answer, is the one that was accepted.
    const [before] = await other.call({ path: "/account/credits", headers }).then((answer) => [answer.text]);
    for (const { key: once, path, body, answer } of [...jobs, ...requests, ...calls]) {
      if (answer === null) continue;
      const again = await other.call({ method: "POST", path, headers: { ...headers, "idempotency-key": once }, body });
      assert.ok(again.status < 300, `${path}: ${again.status} ${again.text}`);
      if (path === "/v1/models/sandbox/image-1") assert.equal(again.text, answer.text);
      else if (path === "/api/v2/jobs") assert.equal(textOf(again.json(), "id"), textOf(answer.json(), "id"));
      else {
        const request = textOf(answer.json(), "request_id");
        assert.equal(textOf(again.json(), "request_id"), request);
        const result = await other.call({ path: `${path}/${request}`, headers });
        assert.equal(result.status, 200, result.text);
      }
    }
    const after = await other.call({ path: "/account/credits", headers });
    assert.equal(after.text, before, "nothing was paid again");
    assert.match(await command(homes.other, "doctor"), /./);
  } finally {
    await old.close();
    await other.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});
