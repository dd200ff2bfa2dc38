// Which key goes where, with servers that really answer.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { writeSignedIn } from "./signed-in.ts";
import { givenKey, whichServer } from "./which-server.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-which-"));
const proofKey = "the key of this one run";
const servers: Server[] = [];
const studio = { baseUrl: "https://studio.example", key: "service-studio" };
const user = { XDG_CONFIG_HOME: join(folder, "config") };
let own = "";
let stranger = "";

before(async () => {
  own = await listen((host, challenge) =>
    createHmac("sha256", proofKey).update(`atelier-health\n${host}\n${challenge}`).digest("base64url"),
  );
  stranger = await listen(() => "a proof that is none");
  dataFolder("data", own);
  dataFolder("stale", stranger);
  dataFolder("stopped", null);
  writeSignedIn(user, studio);
});
after(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listen(prove: (host: string, challenge: string) => string): Promise<string> {
  const server = createServer(({ url = "", headers }, response) => {
    const challenge = new URL(url, "http://x").searchParams.get("challenge") ?? "";
    response.end(JSON.stringify({ status: "ok", proof: prove(headers.host ?? "", challenge) }));
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

function dataFolder(name: string, url: string | null): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "first-key.txt"), "API key:  service-first\nSign in:  x\n");
  if (url !== null) writeFileSync(join(folder, name, "server.json"), JSON.stringify({ url, proof_key: proofKey }));
}

const which = (env: Readonly<Record<string, string>>, flags: Readonly<Record<string, string>> = {}) => {
  const call = { text: (name: string) => flags[name] };
  return whichServer(call, env, givenKey(call, env), folder);
};
const at = (name: string) => ({ ...user, ATELIER_HOME: join(folder, name) });

test("flags come before the environment, the environment before a data folder, a data folder before the login", async () => {
  assert.deepEqual(await which(at("data")), { baseUrl: own, key: "service-first", isNamed: true });
  const env = { ...at("data"), ATELIER_URL: "http://127.0.0.1:9000/", ATELIER_API_KEY: "service-env" };
  assert.deepEqual(await which(env), { baseUrl: "http://127.0.0.1:9000", key: "service-env", isNamed: true });
  const said = { "base-url": "http://[::1]:1", key: "service-flag" };
  assert.deepEqual(await which(env, said), { baseUrl: "http://[::1]:1", key: "service-flag", isNamed: true });
});

test("a folder's key goes to the server that proves to be the folder's, by any address", async () => {
  assert.deepEqual(await which({ ...at("data"), ATELIER_URL: own }), {
    baseUrl: own,
    key: "service-first",
    isNamed: true,
  });
  const noted = { ...at("data"), ATELIER_API_KEY: "service-env" };
  assert.deepEqual(await which(noted), { baseUrl: own, key: "service-env", isNamed: true });
});

test("no key is sent to another program on the port of a stopped server, nor to the usual port", async () => {
  await assert.rejects(which(at("stale")), /No server is running for the data folder/);
  await assert.rejects(which(at("stopped")), /No server is running for the data folder/);
  await assert.rejects(which({ ...at("stale"), ATELIER_API_KEY: "service-env" }), /No server is running/);
  for (const name of ["data", "stopped"]) {
    const withheldFrom = join(folder, name);
    const asked = await which({ ...at(name), ATELIER_URL: stranger });
    assert.deepEqual(asked, { baseUrl: stranger, key: undefined, withheldFrom, isNamed: true });
  }
  const lone = { XDG_CONFIG_HOME: join(folder, "nobody"), ATELIER_API_KEY: "service-env" };
  await assert.rejects(which(lone), /No server address was given, so the key was not sent/);
});

test("a proxy beside a data folder is called without the folder's key", async () => {
  const asked = await which(user, { home: join(folder, "data"), "base-url": stranger });
  assert.equal(asked.baseUrl, stranger);
  assert.equal(asked.key, undefined);
  const { hostname, port } = new URL(own);
  const { key, withheldFrom } = await which(at("data"), { "base-url": `https://${hostname}:${port}` });
  assert.deepEqual([key, withheldFrom], [undefined, join(folder, "data")], "TLS at a plain port proves nothing");
});

test("a key that was not meant for an address is not sent to it", async () => {
  assert.equal((await which(user, { "base-url": "https://elsewhere.example" })).key, undefined);
  assert.equal((await which(user, { "base-url": "https://studio.example/" })).key, "service-studio");
});

test("an address of this machine needs no scheme; any other does", async () => {
  assert.equal((await which({ ...user, ATELIER_URL: "localhost:9000" })).baseUrl, "http://localhost:9000");
  assert.equal((await which({ ...user, ATELIER_URL: "127.0.0.1:9000/" })).baseUrl, "http://127.0.0.1:9000");
  await assert.rejects(which(user, { "base-url": "studio.example" }), /is not a server address/);
});
