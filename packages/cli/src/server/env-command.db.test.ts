// `atelier env` against a server that proves it belongs to the folder, with the output read back by a shell.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { clientCommands } from "../client-commands.ts";
import { envCommand } from "./env-command.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-env-"));
const proofKey = "the key of this one run";
const key = "service-it's-mine";
let url = "";
const server = createServer(({ url: path = "", headers }, response) => {
  const challenge = new URL(path, "http://x").searchParams.get("challenge") ?? "";
  const words = `atelier-health\n${headers.host}\n${challenge}`;
  response.end(JSON.stringify({ proof: createHmac("sha256", proofKey).update(words).digest("base64url") }));
});

before(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  for (const name of ["running", "stopped"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "first-key.txt"), `API key:  ${key}\n`);
  }
  writeFileSync(join(folder, "running", "server.json"), JSON.stringify({ url, proof_key: proofKey }));
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const [listed] = clientCommands.filter(({ name }) => name === "env");
async function env(home: string, ...more: string[]) {
  assert.ok(listed);
  const given = { XDG_CONFIG_HOME: folder, ATELIER_URL: "http://127.0.0.1:9", ATELIER_API_KEY: "service-stale" };
  const said = { say: () => undefined, redraw: () => undefined, exit: () => assert.fail("it left") };
  const input = { arguments: ["--home", join(folder, home), ...more], env: given, json: false, ...said };
  return envCommand.run(listed, { ...Object(input) });
}

test("a shell that evals it has the address and the key of the folder's server, and loses any others", async () => {
  const { data, text } = await env("running");
  assert.deepEqual(data, { ATELIER_URL: url, ATELIER_API_KEY: key });
  const script = `eval "$1"; printf '%s\n' "$ATELIER_URL" "$ATELIER_API_KEY"`;
  assert.equal(execFileSync("sh", ["-c", script, "sh", String(text)], { encoding: "utf8" }), `${url}\n${key}\n`);
});

test("other shells get their own syntax, and an unknown one is refused by name", async () => {
  assert.match(
    String((await env("running", "--shell", "fish")).text),
    /^set -gx ATELIER_URL '.*'\nset -gx ATELIER_API_KEY 'service-it\\'s-mine'$/,
  );
  assert.match(
    String((await env("running", "--shell", "powershell")).text),
    /\$Env:ATELIER_API_KEY = 'service-it''s-mine'$/,
  );
  await assert.rejects(env("running", "--shell", "tcsh"), /--shell must be one of .*, not "tcsh"/);
});

test("without a server in the folder it prints nothing to eval", async () => {
  await assert.rejects(env("stopped"), /No server is running for the data folder/);
});
