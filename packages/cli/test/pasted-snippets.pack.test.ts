// Every snippet of the console runs as it is pasted: in an empty folder, with only the key in the environment, and
// without a package registry in reach. The SDK and the command line come from the server itself.
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Job, WebhookDeliveryDetail } from "@atelier/sdk";
import { documentOf } from "../../console/src/api/model-document.ts";
import { jobSnippet } from "../../console/src/pages/jobs/snippets.ts";
import { firstCall, firstCallLanguages } from "../../console/src/pages/keys/first-call.ts";
import { firstCall as firstRequest, sameCall } from "../../console/src/pages/requests/snippets.ts";
import { curlOf, verifiers } from "../../console/src/pages/webhooks/snippets.ts";
import { firstInput } from "../../console/src/ui/schema-form/first-input.ts";
import { type Language, languages, sdkInstall } from "../../console/src/ui/snippets/clients.ts";
import { snippetOf } from "../../console/src/ui/snippets/model-call/snippets.ts";
import { type AsShippedServer, startAsShipped } from "../../server/test/support/as-shipped-server.ts";
import { freePort } from "../../server/test/support/free-port.ts";
import { programMsMax } from "../../server/test/support/limits.ts";

let server: AsShippedServer;
let folder = "";

before(async () => {
  server = await startAsShipped();
  folder = mkdtempSync(join(tmpdir(), "atelier-pasted-"));
  // Without it, npm takes the next folder above that has a package.json for the project, and writes there.
  mkdirSync(join(folder, "node_modules"));
  const installed = await shell(sdkInstall(server.baseUrl));
  assert.equal(installed.code, 0, installed.err);
});
after(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const environment = () => ({
  PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
  HOME: folder,
  ATELIER_API_KEY: server.key,
  // A request to a registry fails immediately.
  npm_config_registry: "http://127.0.0.1:9/",
  npm_config_fetch_retries: "0",
});

function ran(program: string, words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: environment(), timeout: programMsMax, maxBuffer: 1e8 };
    execFile(program, words, options, (error, out, err) =>
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, out, err }),
    );
  });
}

const shell = (code: string) => ran("bash", ["-c", code]);

function pasted(language: Language, code: string): Promise<Ran> {
  if (language === "python") return ran("python3", ["-c", code]);
  if (language !== "typescript") return shell(code);
  writeFileSync(join(folder, "call.mjs"), code);
  return ran(process.execPath, ["call.mjs"]);
}

const call = (isQueued: boolean) => ({
  baseUrl: server.baseUrl,
  model: isQueued ? "sandbox/image-1-queued" : "sandbox/image-1",
  input: { prompt: `it's a "fox" $HOME`, width: 64, height: 64, seed: 9007199254740993n },
  textFields: new Set(["prompt"]),
  isQueued,
  answerFile: null,
});

describe("a call of a model", () => {
  for (const { name, label } of languages)
    for (const isQueued of [false, true])
      test(`${label}, ${isQueued ? "queued" : "at once"}: ends with the picture's address`, async () => {
        const { code, out, err } = await pasted(name, snippetOf[name](call(isQueued)));
        assert.equal(code, 0, err);
        assert.match(out, /https?:\/\/[^\s"']+\.png/, out);
        assert.match(out, /9007199254740993/, "with every digit of the seed");
      });

  test("without a key, curl and the command line say where to make one", async () => {
    for (const name of ["curl", "cli"] as const) {
      const { code, err } = await shell(`unset ATELIER_API_KEY\n${snippetOf[name](call(false))}`);
      assert.notEqual(code, 0);
      assert.match(err, /profile\/api-keys/);
    }
  });

  test("a queued call that is refused shows the refusal and ends", async () => {
    const { out } = await shell(snippetOf.curl({ ...call(true), input: { prompt: 7 } }));
    assert.match(out, /Field must be string/);
  });
});

describe("a call on the pages of requests", () => {
  test("the first call, and a call to the model of a request, directly and queued", async () => {
    const first = await shell(firstRequest(server.baseUrl));
    assert.match(first.out, /\.png/, first.err);
    const model = "sandbox/text-1";
    const described = await server.call({ path: `/v1/models/${model}/openapi.json` });
    const document = documentOf(model, described.json());
    for (const isQueued of [false, true]) {
      const same = await shell(
        sameCall(server.baseUrl, { model, isQueued, document, input: firstInput(document.input) }),
      );
      assert.match(same.out, /"text":/, same.out + same.err);
    }
  });
});

describe("a job", () => {
  const graph = {
    "1": { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 3103042 } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "pasted" } },
  };
  for (const { name, label } of languages)
    test(`${label}: saves the graph's outputs`, async () => {
      const job = { metadata: { name: "it's mine" } } as unknown as Job;
      const code = jobSnippet(name, job, graph, { base_url: server.baseUrl, auth: "session" });
      const done = await pasted(name, code);
      assert.equal(done.code, 0, done.err);
      const saved = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
        (path) => /(^|\/)pasted[^/]*\.png$/.test(path) && !path.startsWith("node_modules"),
      );
      assert.equal(saved.length, 1, done.out + done.err);
      for (const path of saved) {
        assert.ok(statSync(join(folder, path)).size > 50);
        rmSync(join(folder, path));
      }
    });
});

describe("the first call with a new key", () => {
  for (const name of firstCallLanguages)
    test(`${name}: lists the models, or says who the key is`, async () => {
      const facts = { base: server.baseUrl, key: server.key };
      const models = await pasted(name, firstCall[name]({ ...facts, hasModels: true }));
      assert.match(models.out, /sandbox\/image-1/, models.err);
      const account = await pasted(name, firstCall[name]({ ...facts, hasModels: false }));
      assert.match(account.out, /workspace/, account.err);
    });
});

describe("a receiver of webhooks", () => {
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes....").toString("base64")}`;
  const delivery = (port: number): WebhookDeliveryDetail =>
    ({
      id: "msg_1",
      url: `http://127.0.0.1:${port}/hooks?it's=1`,
      body: '{"type":"job.succeeded","name":"it\'s \\"here\\""}',
    }) as WebhookDeliveryDetail;

  for (const name of ["typescript", "python"] as const)
    test(`${name}: accepts what curl signs with the secret, and refuses another`, async () => {
      const port = await freePort();
      writeFileSync(join(folder, "receiver.mjs"), verifiers.typescript);
      const words = name === "typescript" ? [process.execPath, "receiver.mjs"] : ["python3", "-c", verifiers.python];
      const receiver = spawn(words[0] ?? "", words.slice(1), {
        cwd: folder,
        env: { ...environment(), ATELIER_WEBHOOK_SECRET: secret, PORT: String(port) },
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        const said = await listening(receiver);
        const good = await shell(`export ATELIER_WEBHOOK_SECRET=${secret}\n${curlOf(delivery(port))}`);
        assert.match(good.out, / 204 /, good.err);
        await said(/job\.succeeded/);
        const other = `whsec_${Buffer.from("another secret of thirty-two by.").toString("base64")}`;
        const bad = await shell(`export ATELIER_WEBHOOK_SECRET=${other}\n${curlOf(delivery(port))}`);
        assert.match(bad.out, / 400 /, bad.err);
      } finally {
        receiver.kill();
      }
    });
});

// Waits until it listens; returns a function that waits until it has printed something.
async function listening(child: ChildProcess): Promise<(wanted: RegExp) => Promise<void>> {
  let text = "";
  const printed = (wanted: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!wanted.test(text)) return;
        child.stdout?.off("data", look);
        resolve();
      };
      child.once("exit", () => reject(new Error(`It ended: ${text}`)));
      child.stdout?.on("data", look);
      look();
    });
  child.stdout?.on("data", (piece: Buffer) => {
    text += piece.toString();
  });
  await printed(/Listening/);
  return printed;
}
