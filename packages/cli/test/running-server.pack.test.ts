// Commands beside a running server, on the same home: they share its embedded PostgreSQL and leave it running.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  postgresPid,
  type ServerProcess,
  startServerProcess,
  until,
} from "../../server/test/support/server-process.ts";
import { atelier, bin, dataOf, objectOf, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
const home = join(folder.path, "home");
const env = { ATELIER_HOME: home };
let server: ServerProcess;

before(async () => {
  server = await startServerProcess({ home });
});
after(async () => {
  await server.kill("SIGTERM");
  folder.remove();
});

// A disk of a given size that only one process and its children see, and that is gone with them.
const small = join(folder.path, "small");
const smallDisk = (size: string) => `mkdir -p ${small} && mount -t tmpfs -o size=${size} tmpfs ${small} && exec "$@"`;
const canMount = spawnSync("unshare", ["-m", "sh", "-c", smallDisk("1m"), "sh", "true"]).status === 0;

const bootstrapKey = () => /^API key: +(\S+)/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1];

const statusOf = async (key: string) =>
  (await fetch(`${server.baseUrl}/account/keys`, { headers: { authorization: `Bearer ${key}` } })).status;

describe("keys", () => {
  test("create prints the key alone, and it works over HTTP at once", async () => {
    const { code, out, err } = await atelier(["keys", "create", "ci", "--scopes", "account,models"], { env });
    assert.equal(code, 0, err);
    assert.match(out, /^service-[A-Za-z0-9_-]{40,}\n$/);
    assert.equal(await statusOf(out.trim()), 200);
  });

  test("list shows it without its secret; revoke ends it in the running server too", async () => {
    const made = dataOf<{ id: string; key: string }>(
      await atelier(["keys", "create", "short-lived", "--scopes", "account", "--json"], { env }),
    );
    assert.equal(await statusOf(made.key), 200);
    const listed = await atelier(["keys", "list"], { env });
    const row = listed.out.split("\n").find((line) => line.startsWith(made.id));
    assert.deepEqual(row?.split("\t").slice(2, 4), ["short-lived", "active"]);
    assert.ok(!listed.out.includes(made.key));

    const revoked = await atelier(["keys", "revoke", made.id], { env });
    assert.equal(revoked.code, 0, revoked.err);
    await until("the revoked key is refused", async () => (await statusOf(made.key)) === 401);
    const again = dataOf<{ id: string; revoked_at: string | null }[]>(
      await atelier(["keys", "list", "--json"], { env }),
    );
    assert.ok(again.find(({ id }) => id === made.id)?.revoked_at);
  });

  test("an unknown key is exit code 4, with --json one object", async () => {
    const ran = await atelier(["keys", "revoke", "00000000-0000-7000-8000-000000000000", "--json"], { env });
    assert.equal(ran.code, 4, ran.err);
    assert.equal(objectOf(ran)["ok"], false);
  });

  test("link prints an address that leads to the running server, and looking at it uses nothing up", async () => {
    const { code, out, err } = await atelier(["keys", "link"], { env });
    assert.equal(code, 0, err);
    assert.ok(out.startsWith(`${server.baseUrl}/`), "it leads to the running server, whatever its port");
    for (const accept of ["text/html", "application/json", "application/json"])
      assert.equal((await fetch(out.trim(), { headers: { accept } })).status, 200);
  });

  test("a member can be given a link again, by the id that workspace show lists", async () => {
    const headers = { authorization: `Bearer ${bootstrapKey()}`, "content-type": "application/json" };
    const path = `${server.baseUrl}/account/workspaces`;
    const [workspace] = JSON.parse(await (await fetch(path, { headers })).text()).data;
    const body = JSON.stringify({ name: "Ada" });
    const added = await fetch(`${path}/${workspace.id}/members`, { method: "POST", headers, body });
    assert.equal(added.status, 201);
    const shown = await atelier(["workspace", "show", workspace.id], { env });
    const [, personId = ""] = /^member +(\S+) +Ada$/m.exec(shown.out) ?? [];
    const { out } = await atelier(["keys", "link", personId, "--port", new URL(server.baseUrl).port], { env });
    const link = await fetch(out.trim(), { headers: { accept: "application/json" } });
    assert.equal(JSON.parse(await link.text()).person.name, "Ada");
  });
});

test("a refusal in the log names address, path, key and workspace; the start names an unreachable database", async () => {
  const made = dataOf<{ id: string; key: string }>(
    await atelier(["keys", "create", "narrow", "--scopes", "registry", "--json"], { env }),
  );
  assert.equal(await statusOf(made.key), 403);
  const line = await until(
    "it is logged",
    () =>
      server
        .log()
        .split("\n")
        .find((each) => each.includes(made.id)) ?? null,
  );
  const { peer, path, keyId, workspaceId, status }: Record<string, unknown> = JSON.parse(line);
  assert.deepEqual([peer, path, keyId, status], ["127.0.0.1", "/account/keys", made.id, 403]);
  assert.match(String(workspaceId), /^[0-9a-f-]{36}$/);
  const away = { DATABASE_URL: "postgres://atelier:hidden-word@127.0.0.1:9/books", ATELIER_PORT: "0" };
  const ran = await atelier(["serve"], { env: { ...away, ATELIER_HOME: join(folder.path, "away") } });
  assert.equal(ran.code, 11, ran.err);
  assert.match(ran.err, /The database at 127\.0\.0\.1:9\/books cannot be used: .*ECONNREFUSED/);
  assert.ok(!ran.err.includes("hidden-word"));
});

describe("doctor", () => {
  test("a healthy home is exit code 0", async () => {
    const { code, out, err } = await atelier(["doctor"], { env });
    assert.equal(code, 0, out + err);
    const names = [
      "versions",
      "home",
      "disk",
      "server",
      "database",
      "clock",
      "key ring",
      "blobs",
      "workers",
      "invariants",
    ];
    for (const name of names) assert.match(out, new RegExp(`^[✓!] ${name} `, "m"));
    assert.match(out, /^✓ workers +1 running, \d+ slot/m);
  });

  test("problems with the blobs are reported under their name, and the rest is still checked", async () => {
    const { code, out } = await atelier(["doctor", "--port", "0", "--blobs", "s3://"], { env });
    assert.equal(code, 12);
    assert.match(out, /^✕ blobs +ATELIER_BLOBS does not name a bucket/m);
    assert.match(out, /^✓ invariants /m);
  });

  test("an unreachable database is exit code 12, names the setting, and shows no password", async () => {
    const wrong = { ...env, DATABASE_URL: "postgres://atelier:hidden-word@127.0.0.1:9/atelier" };
    const ran = await atelier(["doctor", "--json", "--port", "0"], { env: wrong });
    assert.equal(ran.code, 12, ran.err);
    const { ok, data, error } = objectOf(ran);
    assert.equal(ok, false);
    assert.ok(error);
    assert.match(JSON.stringify(data), /check DATABASE_URL/);
    assert.match(JSON.stringify(data), /\(127\.0\.0\.1:9\/atelier, ECONNREFUSED\)/);
    assert.ok(!`${ran.out}${ran.err}`.includes("hidden-word"));
  });

  test("a port taken by another server or another program is a problem, and it says which of the two", async () => {
    const elsewhere = { ATELIER_HOME: join(folder.path, "another-home") };
    const own = await atelier(["doctor", "--port", new URL(server.baseUrl).port], { env: elsewhere });
    assert.equal(own.code, 12, own.out);
    assert.match(
      own.out,
      /^✕ port .* is in use by an Atelier server of another data folder\n.*→ choose another with /m,
    );
    const other = createServer((socket) => socket.end("I am no server of yours\r\n")).listen(0, "127.0.0.1");
    await once(other, "listening");
    try {
      const address = other.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const taken = await atelier(["doctor", "--port", String(port)], { env: elsewhere });
      assert.equal(taken.code, 12, taken.out);
      assert.match(taken.out, /^✕ port .* is in use by another program\n.*→ choose another with ATELIER_PORT/m);
    } finally {
      other.close();
    }
  });

  test("a full disk is a problem, and so are blobs that have no room left", { skip: !canMount }, async () => {
    const onSmallDisk = (size: string, setting: string) =>
      atelier(["doctor", "--port", "0"], {
        program: ["unshare", "-m", "sh", "-c", smallDisk(size), "sh", process.execPath, bin],
        env: { ...env, [setting]: setting === "ATELIER_BLOBS" ? `file:${small}/blobs` : `${small}/home` },
      });
    const full = await onSmallDisk("600k", "ATELIER_HOME");
    assert.equal(full.code, 12, full.out + full.err);
    assert.match(full.out, /^✕ disk .* is full .*\n.*→ free some space/m);
    const blobs = await onSmallDisk("40m", "ATELIER_BLOBS");
    assert.equal(blobs.code, 12, blobs.out + blobs.err);
    assert.match(blobs.out, /^✕ blobs .*\n.*→ free some space there/m);
    assert.match(blobs.out, /^✓ database /m);
  });
});

describe("migrate", () => {
  test("--dry-run says that there is nothing to do, and changes nothing", async () => {
    const ran = await atelier(["migrate", "--dry-run", "--json"], { env });
    assert.equal(ran.code, 0, ran.err);
    const { version, latest, pending } = dataOf<{ version: number; latest: number; pending: string[] }>(ran);
    assert.equal(version, latest);
    assert.deepEqual(pending, []);
    assert.match((await atelier(["migrate"], { env })).out, /nothing to apply/);
  });
});

describe("secrets", () => {
  test("a key ring that others can read is exit code 2, with the command that closes it", async () => {
    const loose = join(folder.path, "loose.json");
    writeFileSync(loose, readFileSync(join(home, "secrets.json")), { mode: 0o644 });
    const ran = await atelier(["secrets", "list"], { env: { ...env, ATELIER_SECRETS_FILE: loose } });
    assert.equal(ran.code, 2, ran.err);
    assert.match(ran.err, /is accessible to other users \(mode 0644\); restrict it with chmod 600/);
  });

  test("list shows ids and purposes and no secret; others still cannot read the file", async () => {
    const { code, out } = await atelier(["secrets", "list"], { env });
    assert.equal(code, 0);
    const file = readFileSync(join(home, "secrets.json"), "utf8");
    const secrets = [...file.matchAll(/"secret":\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
    assert.ok(secrets.length > 0);
    for (const secret of secrets) assert.ok(!out.includes(secret));
    assert.match(out, /\tcursor\t/);
  });

  test("rotate adds a key that signs later; the running server stays ready", async () => {
    const count = async () => dataOf<unknown[]>(await atelier(["secrets", "list", "--json"], { env })).length;
    const before = await count();
    const { code, out, err } = await atelier(["secrets", "rotate", "cursor"], { env });
    assert.equal(code, 0, err);
    assert.match(out, /in 5 minutes/);
    assert.equal(await count(), before + 1);
    assert.equal(statSync(join(home, "secrets.json")).mode & 0o777, 0o600);
    assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200);
  });

  test("an unknown purpose is exit code 2; adopt needs --yes", async () => {
    assert.equal((await atelier(["secrets", "rotate", "moon"], { env })).code, 2);
    assert.match((await atelier(["secrets", "adopt"], { env })).err, /Confirm with --yes/);
  });
});

describe("workspace", () => {
  test("list names it, export writes everything into a new folder, delete needs --yes and keeps the last one", async () => {
    const [id = ""] = (await atelier(["workspace", "list"], { env })).out.split("\t");
    const key = /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
    const note = join(folder.path, "note.txt");
    writeFileSync(note, "my own words");
    const client = { ATELIER_URL: server.baseUrl, ATELIER_API_KEY: key };
    const [asset] = dataOf<{ id: string }[]>(await atelier(["assets", "put", note, "--json"], { env: client }));
    const target = join(folder.path, "taken-along");
    const taken = await atelier(["workspace", "export", id, target, "--json"], { env });
    assert.equal(taken.code, 0, taken.out + taken.err);
    assert.equal(readFileSync(join(target, "files", asset?.id ?? ""), "utf8"), "my own words");
    assert.match(readFileSync(join(target, "assets.jsonl"), "utf8"), /note\.txt/);
    assert.ok(!readFileSync(join(target, "keys.jsonl"), "utf8").includes("hash"));
    assert.equal((await atelier(["workspace", "export", id, target], { env })).code, 2, "never into what is there");
    const unsure = await atelier(["workspace", "delete", id], { env });
    assert.equal(unsure.code, 2);
    assert.match(unsure.err, /Confirm with --yes/);
    const last = await atelier(["workspace", "delete", id, "--yes"], { env });
    assert.equal(last.code, 5, last.err);
    assert.match(last.err, /only workspace/);
    assert.equal(await statusOf(key), 200);
  });
});

test("after all of them the server's own PostgreSQL still runs, and the server still answers", async () => {
  assert.ok(postgresPid(home));
  assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200);
});
