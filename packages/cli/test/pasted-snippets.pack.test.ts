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
import { mapCurl } from "../../console/src/pages/badges/snippets.ts";
import { firstJob, jobSnippet } from "../../console/src/pages/jobs/snippets.ts";
import { firstCall, firstCallLanguages } from "../../console/src/pages/keys/first-call.ts";
import { installNode, publishNode, publishWithToken } from "../../console/src/pages/nodes/snippets.ts";
import { sampleCurl } from "../../console/src/pages/overview/snippets.ts";
import { firstCall as firstRequest, sameCall } from "../../console/src/pages/requests/snippets.ts";
import { curlOf, listenHere, reportHere, verifiers } from "../../console/src/pages/webhooks/snippets.ts";
import { firstInput } from "../../console/src/ui/schema-form/first-input.ts";
import { type Language, languages, sdkInstall } from "../../console/src/ui/snippets/clients.ts";
import { snippetOf } from "../../console/src/ui/snippets/model-call/snippets.ts";
import { textOf } from "../../server/test/support/app-client.ts";
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

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 3103042 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "pasted" } },
};

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

describe("a call of a work", () => {
  test("each language makes the same picture with the inputs of its form", async () => {
    const noise = { image: ["1", 0], seed: 1, strength: 0.5 };
    const document = { ...graph, "3": { class_type: "ImageAddNoise", inputs: noise } };
    const saved = { ...document, "2": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "w" } } };
    const made = async (method: string, path: string, body: unknown) => {
      const answer = await server.call({ method, path, body });
      assert.equal(answer.status, 201, answer.text);
      return answer.json() as { readonly id: string };
    };
    const workflow = await made("POST", "/account/workflows", { name: "pasted", document: saved });
    const form = {
      inputs: [{ name: "seed", node: "3", input: "seed", kind: "integer", label: "Seed" }],
      outputs: [{ name: "picture", node: "2", label: "Picture" }],
    };
    const published = { workflow_id: workflow.id, title: "Pasted", form, examples: [{ inputs: {} }] };
    const { id } = await made("PUT", "/account/works/pasted", published);
    const addresses: string[] = [];
    for (const { name } of languages) {
      const code = snippetOf[name]({
        ...call(false),
        model: id,
        input: { seed: 9007199254740993n },
        textFields: new Set(),
      });
      const { code: end, out, err } = await pasted(name, code);
      assert.equal(end, 0, err);
      assert.match(out, /9007199254740993/, `${name} keeps every digit of the seed`);
      addresses.push(/https?:\/\/[^\s"']+\/c\/[^\s"']+/.exec(out)?.[0] ?? assert.fail(out));
    }
    const bytes = await Promise.all(addresses.map(async (url) => (await (await fetch(url)).bytes()).toString()));
    assert.equal(new Set(bytes).size, 1);
  });
});

describe("a call on the pages of requests", () => {
  test("the first call, and a call to the model of a request, directly and queued", async () => {
    for (const first of [
      firstRequest(server.baseUrl),
      sampleCurl(server.baseUrl, "sandbox/image-1", "a lighthouse at dusk"),
    ]) {
      const { out, err } = await shell(first);
      assert.match(out, /\.png/, err);
    }
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

describe("pages without anything to copy from yet", () => {
  test("a saved file runs as a job, and saves its outputs", async () => {
    writeFileSync(join(folder, "workflow.json"), JSON.stringify(graph));
    const done = await shell(firstJob(server.baseUrl));
    assert.equal(done.code, 0, done.err);
    assert.equal(readdirSync(join(folder, "out")).filter((name) => name.startsWith("pasted")).length, 1, done.out);
    rmSync(join(folder, "out"), { recursive: true });
  });

  test("the map of badges is fetched, and not again while it is the same", async () => {
    const query = new URLSearchParams({ app_version: "0.30.0", platform: "local" });
    const { out, err } = await shell(mapCurl(server.baseUrl, query));
    assert.deepEqual(
      [...out.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status),
      ["200", "304"],
      out + err,
    );
  });
});

describe("a node", () => {
  test("is started, checked and published, again with a token, and installed", async () => {
    const post = async (path: string, body: unknown) => {
      const answer = await server.call({ method: "POST", path, body });
      assert.equal(answer.status, 201, answer.text);
      return answer.json();
    };
    await post("/publishers", { id: "pasted", name: "Pasted" });
    const first = await shell(publishNode(server.baseUrl, "my-node", "pasted"));
    assert.equal(first.code, 0, first.out + first.err);
    const made = await post("/publishers/pasted/tokens", { name: "from the page" });
    const token = textOf(made, "token");
    await shell(`sed -i 's/0\\.1\\.0/0.1.1/' my-node/pyproject.toml`);
    const again = await shell(`unset ATELIER_API_KEY\n${publishWithToken(server.baseUrl, token)}`);
    assert.equal(again.code, 0, again.out + again.err);
    const installed = await shell(`unset ATELIER_API_KEY\n${installNode(server.baseUrl, "my-node")}`);
    assert.equal(installed.code, 0, installed.out + installed.err);
    assert.ok(readdirSync(join(folder, "custom_nodes/my-node")).includes("__init__.py"));
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

describe("webhooks on this machine", () => {
  test("the receiver verifies what a queued call reports to it", async () => {
    const port = await freePort();
    // Only the port differs: several runs may share a machine.
    const here = (code: string) =>
      code
        .replaceAll("127.0.0.1:8765", `127.0.0.1:${port}`)
        .replace("webhooks listen", `webhooks listen --port ${port}`);
    // With a group of its own, so that the end reaches what the shell has started.
    const receiver = spawn("bash", ["-c", `${here(listenHere(server.baseUrl))} 2>&1`], {
      cwd: folder,
      env: environment(),
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    try {
      const said = await listening(receiver);
      const sent = await shell(here(reportHere(server.baseUrl)));
      assert.match(sent.out, /request_id/, sent.err);
      await said(/signature holds/);
    } finally {
      if (receiver.pid !== undefined) process.kill(-receiver.pid);
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
  await printed(/listening/i);
  return printed;
}
