// For everything sent here, over a real socket: a typed answer, no record, no bytes, no temporary file, and the next caller is
// served as if nothing had happened.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { sendRaw } from "../../test/support/raw-http.ts";
import { sql } from "../foundation/database/index.ts";
import { aClient, aForm, aHouse, type Client, errorCode, type House, textOf, toRecord } from "./surfaces.fixture.ts";

let house: House;
let client: Client;
before(async () => {
  house = await aHouse();
  client = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.key });
});
after(async () => {
  await client.close();
  await house.close();
});

const upload = (form: FormData) => client.ask("/api/v2/assets", { method: "POST", body: form });

async function count(): Promise<{ assets: number; blobs: number; pins: number; used: number }> {
  const [row] = await house.db.query<Record<string, string>>(sql`
    select (select count(*) from assets) as assets, (select count(*) from blobs) as blobs,
      (select count(*) from blob_pins) as pins, (select coalesce(sum(bytes), 0) from asset_usage) as used`);
  const numberOf = (name: string) => Number(row?.[name]);
  return { assets: numberOf("assets"), blobs: numberOf("blobs"), pins: numberOf("pins"), used: numberOf("used") };
}

// The server cleans up after the answer, so only the final state counts.
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 3_000; look++) {
    if (await isSo()) return;
    await wait(20);
  }
  assert.fail("it did not become so");
}

describe("a hostile upload", { timeout: 900_000 }, () => {
  let stored: Awaited<ReturnType<typeof count>>;
  before(async () => {
    await upload(aForm("stands"));
    stored = await count();
  });
  afterEach(async () => {
    await until(async () => (await house.leftovers()).length === 0);
    await until(async () => JSON.stringify(await count()) === JSON.stringify(stored));
    assert.equal((await upload(aForm("stands"))).status, 200, "the next caller is served");
  });

  test("that lies about its hash is 409 and nothing is minted, whether it says so before or after the file", async () => {
    const lie = `blake3:${"0".repeat(64)}`;
    const before = await upload(aForm("lied about", { expected_hash: lie }));
    assert.deepEqual([before.status, errorCode(before)], [409, "hash_mismatch"]);
    const later = aForm("lied about");
    later.append("expected_hash", lie);
    const after = await upload(later);
    assert.deepEqual([after.status, errorCode(after)], [409, "hash_mismatch"]);
    assert.deepEqual(after.json(), before.json(), "and it is told alike, with both hashes as they are written");
    assert.match(JSON.stringify(after.json()), /"expected_hash":"blake3:0{64}","actual_hash":"blake3:[0-9a-f]{64}"/);
  });

  const wrongFields: [string, Record<string, string | null>][] = [
    ["no content type", { content_type: null }],
    ["a content type with a header in it", { content_type: "image/png\r\nx: y" }],
    ["no path", { file_path: null }],
    ["a path that climbs", { file_path: "../../x" }],
    ["an absolute path", { file_path: "/etc/passwd" }],
    ["a NUL in its path", { file_path: "a\0b" }],
    ["a retention out of bounds", { expires_in: "1" }],
    ["a hash of another kind", { expected_hash: "sha256:00" }],
    ["an empty tag", { tags: "" }],
    ["a field of 65 KiB", { tags: "x".repeat(65 * 1024) }],
  ];
  for (const [name, fields] of wrongFields) {
    test(`with ${name} is 422 invalid_body`, async () => {
      const refused = await upload(aForm("x".repeat(100_000), fields));
      assert.deepEqual([refused.status, errorCode(refused)], [422, "invalid_body"], refused.text);
      assert.equal(refused.headers["cache-control"], "no-store");
    });
  }

  test("with path-like names is refused or keeps a harmless one; none reaches the disk", async () => {
    const names = ["../x", "..\\x", "/etc/x", "a/../../x", "\u202egnp", "con", "x\0", ".ssh/id", "~/x", "$(x)"];
    for (let turn = 0; turn < 50; turn++) {
      const name = `${names[turn % names.length]}${turn}`;
      const form = aForm("stands", { file_path: turn % 2 === 0 ? name : "a.bin" });
      assert.ok([200, 422].includes((await upload(form)).status), name);
    }
    for (const { file_path: path, id } of await house.db.query<{ file_path: string; id: string }>(sql`
      select file_path, id from assets where file_path <> 'a.bin'`)) {
      assert.doesNotMatch(path, /\.\.\/|\\|^\//);
      assert.equal((await client.ask(`/api/v2/assets/${id}`, { method: "DELETE" })).status, 204);
    }
  });

  test("of 10,000 parts is 422", async () => {
    const form = new FormData();
    for (let at = 0; at < 10_000; at++) form.append(`x${at}`, "y");
    const refused = await upload(form);
    assert.deepEqual([refused.status, errorCode(refused)], [422, "invalid_body"]);
  });

  test("larger than its workspace may send is 413 and says how much it may, by however much it is larger", async () => {
    const { workspaceId } = house;
    await house.limits.setOverride(house.db, { workspaceId, name: "asset_bytes", value: 50_000 });
    await house.limits.drop(workspaceId);
    const refused = [await upload(aForm("x".repeat(50_001))), await upload(aForm("x".repeat(5_000_000)))];
    await house.limits.resetOverride(house.db, { workspaceId, name: "asset_bytes" });
    await house.limits.drop(workspaceId);
    for (const answer of refused) {
      assert.deepEqual([answer.status, errorCode(answer)], [413, "payload_too_large"]);
      assert.deepEqual(toRecord(answer.json()["error"])["details"], { bytes_max: 50_000 });
    }
  });

  test("that is no form, has no boundary or is encoded is 400", async () => {
    const bodies: [Record<string, string>, string][] = [
      [{ "content-type": "application/json" }, "{}"],
      [{ "content-type": "multipart/form-data" }, "x"],
      [{ "content-type": "multipart/form-data; boundary=x" }, "not a form"],
      [{ "content-type": "multipart/form-data; boundary=x" }, "--x\r\n\r\n"],
      [{ "content-type": "multipart/form-data; boundary=x", "content-encoding": "gzip" }, "--x--"],
    ];
    for (const [headers, body] of bodies) {
      const refused = await client.ask("/api/v2/assets", { method: "POST", headers, body });
      assert.deepEqual([refused.status, errorCode(refused)], [400, "invalid_request"], body);
    }
  });

  test("whose connection is cut, anywhere in it, leaves nothing", async () => {
    const body = [
      '--cut\r\nContent-Disposition: form-data; name="content_type"\r\n\r\ntext/plain\r\n',
      '--cut\r\nContent-Disposition: form-data; name="file_path"\r\n\r\ncut.txt\r\n',
      `--cut\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${"z".repeat(200_000)}\r\n--cut--\r\n`,
    ].join("");
    const head = `POST /api/v2/assets HTTP/1.1\r\nHost: 127.0.0.1:${house.cloudPort}\r\nX-API-Key: ${house.key}\r\nContent-Type: multipart/form-data; boundary=cut\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (const share of [0, 0.001, 0.3, 0.7, 0.999]) {
      const socket = connect({ host: "127.0.0.1", port: house.cloudPort });
      socket.on("error", () => undefined);
      socket.write(head + body.slice(0, Math.floor(body.length * share)));
      await wait(30);
      socket.destroy();
    }
  });

  test("that says it is longer than it is, or shorter, is never half an asset", async () => {
    const part = (name: string, value: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const form = `${part("content_type", "text/plain")}${part("file_path", "a.txt")}${part('file"; filename="x', "abc")}--b--\r\n`;
    const head = (length: number) =>
      `POST /api/v2/assets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${house.key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
    const shorter = await sendRaw(house.cloudPort, head(form.length - 12) + form);
    assert.equal(shorter.status, 400, shorter.all);
    // The rest never comes: the client closes its side.
    const socket = connect({ host: "127.0.0.1", port: house.cloudPort });
    socket.on("error", () => undefined);
    const answered: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => answered.push(chunk));
    socket.end(head(form.length + 10) + form);
    await new Promise((resolve) => socket.once("close", resolve));
    assert.doesNotMatch(Buffer.concat(answered).toString(), /^HTTP\/1.1 2/);
  });
});

describe("an upload that only looks hostile", { timeout: 900_000 }, () => {
  test("without any bytes is an asset of 0 bytes", async () => {
    const made = (await upload(aForm("", { content_type: "text/plain" }))).json();
    assert.equal(made["size_bytes"], 0);
    const found = await client.ask(textOf(made["url"]), {}, {});
    assert.deepEqual([found.status, found.bytes.length, found.headers["content-length"]], [200, 0, "0"]);
    const outside = await client.ask(textOf(made["url"]), { headers: { range: "bytes=0-0" } }, {});
    assert.deepEqual([outside.status, outside.headers["content-range"]], [416, "bytes */0"]);
  });

  test("declared as a picture keeps the word and is served as what it is", async () => {
    const page = "<html><script>alert(1)</script></html>";
    const made = (await upload(aForm(page, { content_type: "image/png", file_path: "x.png" }))).json();
    assert.equal(made["content_type"], "image/png");
    const found = await client.ask(textOf(made["url"]), {}, {});
    assert.equal(found.headers["content-type"], "application/octet-stream");
    assert.match(textOf(found.headers["content-disposition"]), /^attachment/);
    assert.equal(toRecord(made["urls"])["content"], `/api/v2/assets/${made["id"]}/content`);
  });
});
