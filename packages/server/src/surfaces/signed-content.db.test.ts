// The content origin over real HTTP: what a signed URL opens, and that nothing else does.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sendRaw } from "../../test/support/raw-http.ts";
import { newId } from "../foundation/ids.ts";
import { aClient, aForm, aHouse, type Client, type House, textOf } from "./surfaces.fixture.ts";

describe("the content origin", { timeout: 900_000 }, () => {
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
  const upload = async (bytes: string, fields: Record<string, string> = {}) =>
    (await client.ask("/api/v2/assets", { method: "POST", body: aForm(bytes, fields) })).json();
  const open = (url: string, headers: Record<string, string> = {}) => client.ask(url, { headers }, {});
  const targetOf = (url: string) => url.slice(new URL(url).origin.length);

  test("serves the bytes without a credential, shut away from everything a page could do", async () => {
    const asset = await upload("hello", { content_type: "text/plain", file_path: "grüße/ü.txt" });
    const found = await open(textOf(asset["url"]));
    assert.deepEqual([found.status, found.text], [200, "hello"]);
    const expected = {
      "content-type": "text/plain; charset=utf-8",
      "content-length": "5",
      "content-disposition": "inline; filename=\"_.txt\"; filename*=UTF-8''%C3%BC.txt",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "cross-origin",
      "accept-ranges": "bytes",
      etag: `"${textOf(asset["hash"]).slice("blake3:".length)}"`,
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(found.headers[name], value, name);
    assert.equal(found.headers["set-cookie"], undefined);
    const [, maxAge = ""] = /^private, max-age=(\d+)$/.exec(textOf(found.headers["cache-control"])) ?? [];
    const remaining = (Date.parse(textOf(asset["url_expires_at"])) - house.clock.now().getTime()) / 1000;
    assert.ok(Number(maxAge) > 0 && Number(maxAge) <= remaining);
  });

  test("refuses every URL that differs in one character from an issued one, all with one body", async () => {
    const url = targetOf(textOf((await upload("one character"))["url"]));
    const bodies = new Set<string>();
    for (let at = "/c/".length; at < url.length; at++) {
      const character = url.charAt(at) === "0" ? "1" : "0";
      const changed = url.slice(0, at) + character + url.slice(at + 1);
      const refused = await sendRaw(
        house.contentPort,
        `GET ${changed} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.notEqual(refused.status, 200, changed);
      if (refused.status === 403) bodies.add(refused.body);
      else assert.equal(refused.status, 404, "a path of another form is no address at all");
    }
    assert.equal(bodies.size, 1, "every refusal looks alike");
  });

  test("refuses spellings that only a router would take for the same", async () => {
    const url = targetOf(textOf((await upload("spellings"))["url"]));
    const [path = "", query = ""] = url.split("?");
    const [e = "", k = "", s = ""] = query.split("&");
    const spellings = [
      `${path}?${k}&${e}&${s}`,
      `${path}?${query}&x=1`,
      `${path}?${query}&${e}`,
      `${path}?${query}&`,
      `${path}?&${query}`,
      `${path}?${query}#`,
      `${path}#?${query}`,
      `${path}/?${query}`,
      `/c/%${path.charCodeAt(3).toString(16)}${path.slice(4)}?${query}`,
      `${path.toUpperCase().replace("/C/", "/c/")}?${query}`,
      `${path}?${query.toUpperCase()}`,
      `${path}?${query}%20`,
      `${path}?${query}&d=inline`,
      `${path}?${query}&d=attachment`,
      `${path};x?${query}`,
      `//c/${path.slice(3)}?${query}`,
    ];
    for (const target of spellings) {
      if (target === url) continue;
      const refused = await sendRaw(
        house.contentPort,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.ok([400, 403, 404].includes(refused.status), `${target}: ${refused.status}`);
    }
    for (const method of ["POST", "PUT", "DELETE", "PATCH"] as const) {
      assert.equal(
        (await client.ask(`http://127.0.0.1:${house.contentPort}${url}`, { method }, {})).status,
        405,
        method,
      );
    }
  });

  test("does nothing more for any header of a request", async () => {
    const url = textOf((await upload("headers"))["url"]);
    const headers = {
      "x-http-method-override": "DELETE",
      "x-original-url": "/",
      "x-forwarded-host": "evil",
      cookie: "a=b",
    };
    const found = await open(url, headers);
    assert.deepEqual([found.status, found.text], [200, "headers"]);
  });

  test("ends an address at its real expiry and not before", async () => {
    const asset = await upload("expires");
    const url = textOf(asset["url"]);
    const left = Date.parse(textOf(asset["url_expires_at"])) - house.clock.now().getTime();
    assert.ok(left > 5.9 * 3_600_000 && left <= 6 * 3_600_000);
    await house.clock.advance(left - 1000);
    assert.equal((await open(url)).status, 200);
    await house.clock.advance(1000);
    const over = await open(url);
    assert.deepEqual([over.status, over.json()["error"]], [403, "forbidden"]);
    assert.equal((await open(textOf((await client.ask(`/api/v2/assets/${asset["id"]}`)).json()["url"]))).status, 200);
  });

  test("keeps live addresses alive over a rotation, and ends them with their key", async () => {
    const asset = await upload("rotates");
    const old = textOf(asset["url"]);
    const keyOf = (url: string) => textOf(new URL(url).searchParams.get("k"));
    await house.ring.rotate("signed-url");
    await house.clock.advance(301_000);
    const fresh = textOf((await client.ask(`/api/v2/assets/${asset["id"]}`)).json()["url"]);
    assert.notEqual(keyOf(fresh), keyOf(old));
    assert.deepEqual([(await open(old)).status, (await open(fresh)).status], [200, 200]);
    await house.ring.end(keyOf(old));
    assert.deepEqual([(await open(old)).status, (await open(fresh)).status], [403, 200]);
  });

  test("refuses the address of an asset that is gone or expired, in the same words", async () => {
    const gone = await upload("gone", { file_path: "g" });
    const brief = await upload("brief", { file_path: "b", expires_in: "60" });
    await client.ask(`/api/v2/assets/${gone["id"]}`, { method: "DELETE" });
    await house.clock.advance(61_000);
    const refused = [
      await open(textOf(gone["url"])),
      await open(textOf(brief["url"])),
      await open(`http://127.0.0.1:${house.contentPort}/c/${newId()}`),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403],
    );
    assert.equal(new Set(refused.map(({ text }) => text)).size, 1);
  });

  test("among many who ask at once each gets its own bytes, and a deleted asset is refused from the next request on", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `one of many, number ${index}`);
    const assets: Awaited<ReturnType<typeof upload>>[] = [];
    for (const name of names) assets.push(await upload(name, { content_type: "text/plain", file_path: `${name}.txt` }));
    const openAll = () =>
      Promise.all(Array.from({ length: 60 }, (_, ask) => open(textOf(assets[ask % names.length]?.["url"]))));
    // Twice, so that they come from the disk and from memory.
    for (let round = 0; round < 2; round++) {
      for (const [ask, found] of (await openAll()).entries()) {
        assert.deepEqual([found.status, found.text], [200, names[ask % names.length]]);
      }
    }
    await client.ask(`/api/v2/assets/${assets[2]?.["id"]}`, { method: "DELETE" });
    for (const [ask, found] of (await openAll()).entries()) {
      if (ask % names.length === 2) assert.equal(found.status, 403);
      else assert.deepEqual([found.status, found.text], [200, names[ask % names.length]]);
    }
  });

  test("answers the same from the file and from memory: whole, a range, HEAD, an unchanged one, a range outside", async () => {
    const bytes = "0123456789".repeat(2000);
    const url = textOf((await upload(bytes, { file_path: "hot.bin" }))["url"]);
    const etag = textOf((await open(url)).headers["etag"]);
    // The second whole read within a minute puts the bytes into memory; from the third on they come from there.
    for (let turn = 0; turn < 4; turn++) {
      const whole = await open(url);
      assert.deepEqual([whole.status, whole.text === bytes, whole.headers["etag"]], [200, true, etag]);
      const part = await open(url, { range: "bytes=19995-" });
      const where = [part.headers["content-range"], part.headers["content-length"]];
      assert.deepEqual([part.status, part.text, ...where], [206, "56789", "bytes 19995-19999/20000", "5"]);
      const head = await client.ask(url, { method: "HEAD" }, {});
      assert.deepEqual([head.status, head.text, head.headers["content-length"]], [200, "", "20000"]);
      assert.equal((await open(url, { "if-none-match": etag })).status, 304);
      const outside = await open(url, { range: "bytes=20000-" });
      assert.deepEqual([outside.status, outside.headers["content-range"]], [416, "bytes */20000"]);
    }
  });

  test("saves instead of showing when the address says so", async () => {
    const made = await upload("as attachment", { content_type: "text/plain", file_path: "x.txt" });
    const { assets } = await house.assets.list({
      workspaceId: house.workspaceId,
      tag: null,
      kind: null,
      jobId: null,
      limit: 100,
      cursor: null,
    });
    const asset = assets.find(({ id }) => id === made["id"]);
    assert.ok(asset);
    const found = await open(house.assets.sign(asset, { asAttachment: true }).url);
    assert.match(textOf(found.headers["content-disposition"]), /^attachment; filename="x.txt"$/);
  });
});
