// Folders made equal to a lock: weights from the server and from neighbours, packs from the registry, and everything that
// must be refused on the way.
import assert from "node:assert/strict";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { blake3Stream } from "../src/capabilities/blobs/index.ts";
import type { EnvironmentLock, LockedPack, LockedWeight } from "../src/capabilities/environments/index.ts";
import { type Filling, startFilling } from "../src/capabilities/filling/index.ts";
import { openServerClient, ServerCallProblem } from "../src/capabilities/remote-work/index.ts";
import { createBackground } from "../src/foundation/background.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { createLog } from "../src/foundation/log.ts";
import { machineMark } from "../src/foundation/process-identity.ts";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { manifestText } from "./support/craft-zip.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { createPublisher, packed, publish } from "./support/publishing.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { keepWeight } from "./support/weight-example-calls.ts";
import { addWorkerToken } from "./support/worker-token-store.ts";

let app: TestApp;
let root: string;
let token: string;
let poolId: string;
const open: Filling[] = [];

before(async () => {
  app = await testApp();
  root = await mkdtemp(join(tmpdir(), "atelier-fill-"));
  const environment = { engine: "application" as const, engine_version: null, node_classes: null, settings: {} };
  poolId = await makeDeployment(app, { environment });
  token = await addWorkerToken(app.database, [poolId]);
});
after(async () => {
  for (const filling of open) await filling.close();
  await app.close();
  await rm(root, { recursive: true, force: true });
});

const mebibyte = 1024 * 1024;
const machine = machineMark();
const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

async function folder(): Promise<string> {
  const made = await mkdtemp(join(root, "app-"));
  await writeFile(join(made, "comfyui_version.py"), '__version__ = "0.30.0"\n');
  return made;
}

const lockOf = (weights: readonly LockedWeight[], packs: readonly LockedPack[] = []): EnvironmentLock => ({
  atelier_lock: 1,
  application: { version: "0.30.0", commit: null },
  packs,
  python: null,
  weights: [...weights].sort((a, b) => (a.path < b.path ? -1 : 1)),
  classes: null,
  arguments: null,
});

async function aWeight(bytes: Buffer, path = `checkpoints/${randomUUID()}.safetensors`): Promise<LockedWeight> {
  const { blake3 } = await keepWeight(app, bytes, path);
  return { path, bytes: bytes.length, blake3, sha256: sha256(bytes) };
}

interface Options {
  readonly name?: string;
  readonly workerId?: string;
  readonly share?: boolean;
  readonly machine?: string;
  readonly spareBytesMax?: number;
  readonly stopAfterBytes?: number;
  // The server sends nothing before.
  readonly heldUntil?: Promise<void>;
}

async function fill(at: string, lock: EnvironmentLock, options: Options = {}) {
  const server = openServerClient({ serverUrl: app.baseUrl, token });
  const stopping = new AbortController();
  const lies: string[] = [];
  let [served, arrived, neighbours] = [0, 0, 0];
  const filling = await startFilling(
    {
      server: {
        async call(call) {
          const answer = await server.call(call);
          if (call.method === "PUT") neighbours = listOf(answer, "neighbours").length;
          return answer;
        },
        async download(path) {
          served += Number(new URL(path, app.baseUrl).searchParams.get("bytes"));
          await options.heldUntil;
          return server.download(path);
        },
      },
      serverUrl: app.baseUrl,
      serverIsHere: true,
      machine: options.machine ?? null,
      workerId: options.workerId ?? randomUUID(),
      poolId,
      name: options.name ?? "rack",
      clock: systemClock,
      background: createBackground({ clock: systemClock, log: createLog({ level: "error" }) }),
      blake3: blake3Stream(),
      signal: stopping.signal,
      isPassing: (thrown) => thrown instanceof ServerCallProblem && thrown.isPassing,
      onProgress({ bytesDone }) {
        arrived = bytesDone;
        if (arrived >= (options.stopAfterBytes ?? Number.POSITIVE_INFINITY)) stopping.abort(new Error("killed"));
      },
      onLie: (neighbour, weight) => void lies.push(`${neighbour} ${weight}`),
    },
    {
      folder: at,
      lock,
      python: null,
      wheels: null,
      spareBytesMax: options.spareBytesMax ?? null,
      shareAt: options.share === true ? "http://127.0.0.1:0" : null,
      memory: join(at, "hashes"),
    },
  );
  open.push(filling);
  return { filling, lies, served: () => served, neighbours: () => neighbours };
}

async function fillOnce(at: string, lock: EnvironmentLock, options: Options = {}) {
  const begun = await fill(at, lock, options);
  try {
    return { ...(await begun.filling.filled), served: begun.served() };
  } finally {
    await begun.filling.close();
  }
}

async function fileOfWeight({ blake3 }: LockedWeight, machine: string | null): Promise<unknown> {
  const query = machine === null ? "" : `?machine=${machine}`;
  const path = `/api/workers/${randomUUID()}/weights/${blake3}${query}`;
  const { json, status, text } = await app.call({ path, headers: bearer(token) });
  assert.equal(status, 200, text);
  return memberOf(json(), "file");
}

// Turns one bit; a second time turns it back.
async function damage(file: string, at: number): Promise<void> {
  await chmod(file, 0o600);
  const bytes = await readFile(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

const read = (at: string, { path }: { readonly path: string }) => readFile(join(at, "models", path));

describe("a fill", () => {
  test("brings what is missing, keeps what is right, and moves aside what the lock does not name", async () => {
    const [one, two] = [randomBytes(3 * mebibyte + 7), randomBytes(1000)];
    const lock = lockOf([await aWeight(one), await aWeight(two)]);
    const at = await folder();
    await mkdir(join(at, "models", "loras"), { recursive: true });
    await writeFile(join(at, "models", "loras", "own.safetensors"), "mine");
    const first = await fillOnce(at, lock);
    assert.deepEqual([first.fetched, first.movedAside], [2, ["loras/own.safetensors"]]);
    assert.equal(await readFile(join(at, "atelier-aside/models/loras/own.safetensors"), "utf8"), "mine");
    for (const weight of lock.weights) assert.equal(sha256(await read(at, weight)), weight.sha256);
    const second = await fillOnce(at, lock);
    assert.deepEqual([second.fetched, second.served], [0, 0]);
  });

  test("goes on where it was stopped, and drops what was damaged meanwhile", async () => {
    const bytes = randomBytes(24 * mebibyte);
    const weight = await aWeight(bytes);
    const at = await folder();
    await assert.rejects(fillOnce(at, lockOf([weight]), { stopAfterBytes: 8 * mebibyte }));
    assert.deepEqual(await readdir(join(at, "models", "checkpoints")), [], "nothing half done has a name");
    const part = join(at, "models", ".atelier", `${weight.blake3}.part`);
    const half = await readFile(part);
    half[0] = (half[0] ?? 0) ^ 1;
    await writeFile(part, half);
    const { served } = await fillOnce(at, lockOf([weight]));
    assert.ok(served >= mebibyte && served <= 17 * mebibyte, `the rest only: ${served}`);
    assert.deepEqual(await read(at, weight), bytes);
  });

  test("of three that start together lets the server send everything about once, and names a liar", async (context) => {
    const bytes = randomBytes(96 * mebibyte);
    const weight = await aWeight(bytes);
    const liar = createServer((request, response) => {
      const wanted = Number(new URL(request.url ?? "", "http://liar").searchParams.get("count"));
      response.end(wanted > 0 ? Buffer.alloc(wanted * mebibyte) : Buffer.alloc(24, 0xff));
    }).listen(0, "127.0.0.1");
    context.after(() => liar.close());
    await once(liar, "listening");
    const { port } = liar.address() as AddressInfo;
    const liarsId = randomUUID();
    const body = {
      name: "rack-liar",
      state: "filled",
      bytes_done: 1,
      bytes_total: 1,
      share: { url: `http://127.0.0.1:${port}`, key: "0123456789abcdef0123456789abcdef" },
      has: [weight.blake3],
    };
    const headers = bearer(token);
    assert.equal((await app.call({ method: "PUT", path: `/api/workers/${liarsId}/fill`, headers, body })).status, 200);
    const folders = [await folder(), await folder(), await folder()];
    // Each knows those before it when it chooses what to ask for, and no byte has arrived by then. The first meets the liar.
    const held = Promise.withResolvers<void>();
    const begun: Awaited<ReturnType<typeof fill>>[] = [];
    for (const [index, at] of folders.entries()) {
      const name = `rack-${index}`;
      const next = await fill(at, lockOf([weight]), { share: true, name, heldUntil: held.promise });
      begun.push(next);
      await until(`${name} knows the others`, () => next.neighbours() > index);
    }
    held.resolve();
    await Promise.all(begun.map(({ filling }) => filling.filled));
    for (const at of folders) assert.ok((await read(at, weight)).equals(bytes));
    const served = begun.reduce((sum, each) => sum + each.served(), 0);
    // Three times without sharing. A machine that stands still for seconds makes them ask for a stretch again; how close to
    // once it is with time to breathe is measured by `npm run test:long -- fill`.
    assert.ok(served < 2 * bytes.length, `the server sent ${served / bytes.length} times the weight`);
    const lies = begun.flatMap((each) => each.lies);
    assert.ok(lies.length > 0 && lies.every((each) => each === `rack-liar ${weight.path}`), lies.join());
    const fills = await app.call({ path: "/admin/fills", headers: bearer(app.adminToken) });
    const shown = listOf(fills.json(), "data").find((each) => textOf(each, "worker_id") === liarsId);
    assert.ok(Number(memberOf(shown, "accusations")) >= 1, fills.text);
    const seen = await app.call({ path: "/admin/weights?limit=100", headers: bearer(app.adminToken) });
    const row = listOf(seen.json(), "data").find((each) => textOf(each, "blake3") === weight.blake3);
    assert.equal(memberOf(row, "workers"), 4, seen.text);
    for (const { filling } of begun) await filling.close();
  });

  test("keeps weights of another lock for later, and drives them out above a limit", async () => {
    const [one, two] = [await aWeight(randomBytes(4000)), await aWeight(randomBytes(5000))];
    const at = await folder();
    await fillOnce(at, lockOf([one]));
    await fillOnce(at, lockOf([two]));
    assert.equal((await fillOnce(at, lockOf([one]))).served, 0, "it was still there");
    assert.ok((await fillOnce(at, lockOf([one]), { spareBytesMax: 0 })).evictedBytes > 0);
    assert.equal((await fillOnce(at, lockOf([two]))).fetched, 1);
  });

  test("copies what the server keeps on this machine, checks it, and gets what is wrong there over the network", {
    skip: machine === null && "Linux only",
  }, async () => {
    assert.ok(machine !== null);
    const bytes = randomBytes(20 * mebibyte + 5);
    const weight = await aWeight(bytes);
    const copied = await fillOnce(await folder(), lockOf([weight]), { machine });
    assert.deepEqual([copied.fetched, copied.served], [1, 0]);
    const elsewhere = await fillOnce(await folder(), lockOf([weight]), { machine: "0".repeat(64) });
    assert.equal(elsewhere.served, bytes.length);
    const file = String(await fileOfWeight(weight, machine));
    assert.ok((await readFile(file)).equals(bytes));
    await damage(file, 3 * mebibyte);
    const at = await folder();
    // The server sends its own damage too: what is missing is one piece, and no one has it.
    await assert.rejects(fillOnce(at, lockOf([weight]), { machine }), /do not match its own list/);
    await damage(file, 3 * mebibyte);
    const mended = await fillOnce(at, lockOf([weight]), { machine });
    assert.equal(mended.served, 0);
    assert.ok((await read(at, weight)).equals(bytes));
  });

  test("is told where a weight's file is only on the machine of the server", {
    skip: machine === null && "Linux only",
  }, async () => {
    const weight = await aWeight(randomBytes(100));
    assert.equal(await fileOfWeight(weight, null), undefined);
    assert.equal(await fileOfWeight(weight, "0".repeat(64)), undefined);
    assert.match(String(await fileOfWeight(weight, machine)), new RegExp(`^/.*/${weight.blake3}$`));
  });

  test("is refused for a path that climbs, a link inside the folder, a full disk and an unknown weight", async () => {
    const known = await aWeight(randomBytes(100));
    const at = await folder();
    const refused = (weight: Partial<LockedWeight>, why: RegExp) =>
      assert.rejects(fillOnce(at, lockOf([{ ...known, ...weight }])), why);
    await refused({ path: "../outside/a.safetensors" }, /leads outside/);
    await mkdir(join(at, "models"), { recursive: true });
    await symlink(root, join(at, "models", "loras"));
    await refused({ path: "loras/a.safetensors" }, /is a link/);
    await rm(join(at, "models", "loras"));
    await refused({ bytes: 2 ** 49, blake3: "1".repeat(64) }, /too little room: .* Nothing was fetched/);
    await refused({ path: "loras/b.safetensors", blake3: "1".repeat(64) }, /does not have loras\/b.*weights push/);
    await refused({ sha256: "2".repeat(64) }, /SHA-256 in the lock does not match/);
    assert.deepEqual(await readdir(join(at, "models", "checkpoints")), []);
  });

  test("installs packs from the registry, switches others off, and refuses an edited one", async () => {
    const publisher = await createPublisher(app, `fill-${randomUUID().slice(0, 8)}`);
    const request = { nodeId: `fill-${randomUUID().slice(0, 8)}`, version: "1.0.0" };
    await publish(app, publisher, request, packed(publisher.id, request));
    const at = await folder();
    await mkdir(join(at, "custom_nodes", "other"), { recursive: true });
    await writeFile(join(at, "custom_nodes", "other", "__init__.py"), "");
    const code = "NODE_CLASS_MAPPINGS = {}\n";
    const files = [{ path: "__init__.py", bytes: code.length, sha256: sha256(code) }];
    const pack: LockedPack = { name: request.nodeId, id: request.nodeId, version: "1.0.0", commit: null, files };
    const edited = { ...pack, files: [{ path: "__init__.py", bytes: code.length, sha256: "0".repeat(64) }] };
    await assert.rejects(fillOnce(at, lockOf([], [edited])), /not the file that the lock names/);
    assert.deepEqual(await readdir(join(at, "custom_nodes")), ["other"]);
    await assert.rejects(fillOnce(at, lockOf([], [{ ...pack, id: null }])), /no registry has it/);
    await assert.rejects(fillOnce(at, lockOf([], [{ ...pack, version: "9.0.0" }])), /does not offer/);
    // A lock names all files of a pack, so its manifest too.
    const whole = wholePack(pack, publisher.id);
    const done = await fillOnce(at, lockOf([], [whole]));
    assert.deepEqual([done.packs, done.disabledPacks], [[pack.name], ["other"]]);
    assert.deepEqual((await readdir(join(at, "custom_nodes"))).sort(), [pack.name, "other.disabled"].sort());
    await truncate(join(at, "custom_nodes", pack.name, "__init__.py"), 3);
    assert.deepEqual((await fillOnce(at, lockOf([], [whole]))).packs, [pack.name], "an edited pack is put right");
  });
});

function wholePack(pack: LockedPack, publisherId: string): LockedPack {
  const manifest = manifestText({ publisherId, nodeId: pack.name, version: "1.0.0" });
  const file = { path: "pyproject.toml", bytes: Buffer.byteLength(manifest), sha256: sha256(manifest) };
  return { ...pack, files: [...pack.files, file] };
}
