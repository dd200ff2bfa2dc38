// Works, as people meet them: the README's lighthouse is saved, given a form and published in three commands, and then called
// through every entrance. Equal inputs give equal bytes in all of them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { Atelier, type Form, type PublishedWork, parseJson, writeJson } from "@atelier/sdk";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type ServerProcess, startServerProcess } from "../../server/test/support/server-process.ts";
import { atelier, checkout, dataOf, objectOf, type Ran, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
const home = join(folder.path, "home");
let server: ServerProcess;
let key: string;
let sdk: Atelier;
let work: PublishedWork;

const call = (...words: string[]): Promise<Ran> =>
  atelier(words, { folder: folder.path, env: { ATELIER_URL: server.baseUrl, ATELIER_HOME: home } });
const inFolder = (name: string): string => join(folder.path, name);

interface Answer {
  readonly job_id: string;
  readonly work: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: { readonly picture: readonly { readonly url: string; readonly asset_id: string }[] };
}

const inputs = { prompt: "a lighthouse in fog", seed: 7 };

before(async () => {
  server = await startServerProcess({ home, env: { ATELIER_SANDBOX: "auto", ATELIER_DRAIN_SECONDS: "1" } });
  key = /service-\S+/.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[0] ?? "";
  sdk = new Atelier({ baseUrl: server.baseUrl, apiKey: key });
  // The README's three commands.
  const saved = await call("workflows", "save", join(checkout, "examples/first-picture.json"), "--name", "lighthouse");
  assert.equal(saved.code, 0, saved.err);
  const formed = await call("workflows", "form", "lighthouse");
  assert.equal(formed.code, 0, formed.err);
  writeFileSync(inFolder("form.json"), renamed(formed.out));
  const published = await call(
    "works",
    "publish",
    "lighthouse",
    "--form",
    inFolder("form.json"),
    "--title",
    "Lighthouse",
  );
  assert.equal(published.code, 0, published.err);
  assert.match(published.out, /^Published w\.[a-z0-9._-]+\/lighthouse, version 1\.$/m);
  work = await sdk.works.get("lighthouse");
});
after(async () => {
  await server.kill("SIGTERM");
  folder.remove();
});

// A person edits the file: two inputs and one output, with short names. The seed keeps every digit.
function renamed(text: string): string {
  assert.ok(text.includes("18446744073709551615"), text);
  const form = JSON.parse(text) as Form;
  const of = (input: string) => form.inputs.find((each) => each.node === "1" && each.input === input);
  const [prompt, seed] = [of("prompt"), of("seed")];
  assert.ok(prompt && seed, text);
  const { random, ...fixedSeed } = seed;
  assert.equal(random, true);
  const [output] = form.outputs;
  return writeJson({
    inputs: [
      { ...prompt, name: "prompt" },
      { ...fixedSeed, name: "seed", default: 9007199254740993n, minimum: 0, maximum: 18446744073709551615n },
    ],
    outputs: [{ ...output, name: "picture" }],
  });
}

const bytesAt = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());
const pictureOf = async (answer: unknown): Promise<Buffer> =>
  bytesAt((answer as Answer).outputs.picture[0]?.url ?? "nothing");

describe("a lighthouse, saved, given a form and published in three commands", () => {
  test("is called by curl, SDK, queue, agent, v2 job and command line: equal bytes for equal seeds", async () => {
    const entrances: Record<string, () => Promise<Buffer>> = {
      curl: async () => {
        const headers = ["-H", `X-API-Key: ${key}`, "-H", "Content-Type: application/json"];
        const words = [
          "-sS",
          "--fail",
          ...headers,
          "-d",
          JSON.stringify(inputs),
          `${server.baseUrl}/v1/models/${work.id}`,
        ];
        return pictureOf(JSON.parse((await promisify(execFile)("curl", words)).stdout));
      },
      SDK: async () => pictureOf((await sdk.models.run(work.id, inputs)).data),
      queue: async () => pictureOf((await sdk.models.subscribe(work.id, inputs)).data),
      agent: async () => {
        const client = new Client({ name: "a test", version: "1.0.0" });
        const headers = { authorization: `Bearer ${key}` };
        await client.connect(
          new StreamableHTTPClientTransport(new URL(`${server.baseUrl}/mcp`), { requestInit: { headers } }),
        );
        try {
          const { tools } = await client.listTools();
          const tool = tools.find(({ title }) => title === "Lighthouse");
          const { content } = await client.callTool({ name: tool?.name ?? "none", arguments: inputs });
          const link = content.find((block) => block.type === "resource_link");
          assert.ok(link?.type === "resource_link", JSON.stringify(content).slice(0, 2000));
          assert.ok(content.some((block) => block.type === "image"));
          return await bytesAt(link.uri);
        } finally {
          await client.close();
        }
      },
      job: async () => {
        const [output] = (await sdk.jobs.run({ work: work.id, inputs })).outputs;
        assert.ok(output);
        return Buffer.from(await sdk.jobs.download(output));
      },
      "command line": async () => {
        const file = inFolder("lighthouse.png");
        const ran = await call(
          "works",
          "run",
          "lighthouse",
          `prompt=${inputs.prompt}`,
          `seed=${inputs.seed}`,
          "-o",
          file,
        );
        assert.deepEqual([ran.code, ran.out], [0, `${file}\n`], ran.err);
        return readFileSync(file);
      },
    };
    const made: [string, Buffer][] = [];
    for (const [name, make] of Object.entries(entrances)) made.push([name, await make()]);
    const [[, first] = ["", Buffer.alloc(0)]] = made;
    assert.equal(first.subarray(1, 4).toString("latin1"), "PNG");
    assert.deepEqual(
      made.filter(([, bytes]) => !bytes.equals(first)).map(([name]) => name),
      [],
    );
    const other = await pictureOf((await sdk.models.run(work.id, { ...inputs, seed: 8 })).data);
    assert.ok(!other.equals(first), "another seed makes another picture");
  });

  test("says which inputs it used, with every digit, and takes a version", async () => {
    const { data } = await sdk.models.run(`${work.id}.v1`, { prompt: "noon" });
    const answer = data as Answer;
    assert.deepEqual([answer.work, answer.inputs], [`${work.id}.v1`, { prompt: "noon", seed: 9007199254740993n }]);
    const ran = await call("works", "run", `${work.id}.v1`, "prompt=noon", "--json");
    assert.ok(ran.out.includes('"seed":9007199254740993'), ran.out);
  });

  test("shows up in lists, with its inputs, and models types knows its inputs and outputs", async () => {
    const [list, models, show, types] = await Promise.all([
      call("works", "ls"),
      call("models", "list"),
      call("works", "show", "lighthouse"),
      call("models", "types", work.id),
    ]);
    assert.deepEqual(list.out.split("\t").slice(0, 4), [work.id, "Lighthouse", "v1", "private"], list.err);
    assert.ok(models.out.includes(work.id), models.out);
    assert.match(show.out, /^ {2}prompt +text/m);
    assert.match(show.out, /^ {2}seed +integer 0\.\.18446744073709551615/m);
    assert.match(types.out, /"prompt"\??: string;/);
    assert.match(types.out, /"seed"\?: number \| bigint;/);
    assert.match(types.out, /"outputs": \{\n +"picture": readonly \(\{/);
  });

  test("refuses wrong calls with the exit codes of every command, and says what to do", async () => {
    const [input, missing, above, unconfirmed, both] = await Promise.all([
      call("works", "run", "lighthouse", "prompt=x", "sed=7"),
      call("works", "run", "lightship", "prompt=x"),
      call("works", "publish", "lightship"),
      call("works", "rm", "lighthouse"),
      call("works", "publish", "lighthouse", "--public", "--private"),
    ]);
    assert.equal(input.code, 5, input.err);
    assert.match(input.err, /documents no field "sed"\. Did you mean "seed"\?/);
    assert.match(input.err, /atelier works show lighthouse/);
    assert.equal(missing.code, 4, missing.err);
    assert.match(missing.err, /atelier works ls/);
    assert.equal(above.code, 4, above.err);
    assert.match(above.err, /atelier workflows save/);
    assert.deepEqual([unconfirmed.code, both.code], [2, 2]);
    assert.match(unconfirmed.err, /Withdraw .*\/lighthouse with its one version\?.*--yes/s);
    const broken = inFolder("broken-form.json");
    writeFileSync(broken, readFileSync(inFolder("form.json"), "utf8").replace('"node":"1"', '"node":"99"'));
    const wrongForm = await call("works", "publish", "lighthouse", "--form", broken, "--json");
    assert.equal(wrongForm.code, 5, wrongForm.out);
    assert.match(JSON.stringify(objectOf(wrongForm)["error"]), /inputs.0.node is not a node of the workflow/);
    assert.equal((await sdk.works.get("lighthouse")).versions, 1, "nothing is half published");
  });

  test("is queued without waiting and collected later; a dry run only asks", async () => {
    const queued = await call("works", "run", "lighthouse", "prompt=dusk", "--queue", "--no-wait");
    assert.match(queued.out, /^[0-9a-f-]{36}\n$/, queued.err);
    const file = inFolder("collected.png");
    const collected = await call("requests", "get", queued.out.trim(), "-o", file);
    assert.deepEqual([collected.code, readFileSync(file).subarray(1, 4).toString("latin1")], [0, "PNG"], collected.err);
    const dry = await call("works", "run", "lighthouse", "prompt=dusk", "--dry-run", "--json");
    assert.equal(dry.code, 0, dry.out);
    assert.ok(dataOf<{ credits: { highest: string } }>(dry).credits.highest);
  });

  test("keeps a form with its workflow, without publishing it", async () => {
    const form = parseJson(readFileSync(inFolder("form.json"), "utf8")) as Form;
    const labelled = form.inputs.map((input, at) => (at === 0 ? { ...input, label: "Say what" } : input));
    const file = inFolder("kept-form.json");
    writeFileSync(file, writeJson({ ...form, inputs: labelled }));
    const saved = await call("workflows", "form", "lighthouse", "--save", file, "--note", "A label.");
    assert.match(saved.out, /^Saved the form with lighthouse, as version 2\.\n$/, saved.err);
    const [again, read, both, broken] = [
      await call("workflows", "form", "lighthouse", "--save", file),
      await call("workflows", "form", "lighthouse", "--json"),
      await call("workflows", "form", "lighthouse", "--save", file, "--all"),
      await call("workflows", "form", "lighthouse", "--save", inFolder("broken-form.json")),
    ];
    assert.match(again.out, /is unchanged: version 2 has this form/, again.err);
    assert.equal(dataOf<{ source: string }>(read).source, "saved");
    assert.equal(dataOf<{ form: Form }>(read).form.inputs[0]?.label, "Say what");
    assert.match(read.out, /"maximum": ?18446744073709551615/);
    assert.deepEqual([both.code, broken.code], [2, 5], both.err);
    assert.match(broken.err, /inputs.0.node is not a node of the workflow/);
    assert.equal((await sdk.works.get("lighthouse")).versions, 1);
  });

  test("is in the usage, by model, key and day, and as a file with a line for each call", async () => {
    const [byModel, byKey, byDay, wrong, both] = [
      await call("usage"),
      await call("usage", "--by", "key"),
      await call("usage", "--by", "day", "--days", "2", "--json"),
      await call("usage", "--by", "planet"),
      await call("usage", "--from", "2026-01-01", "--days", "3"),
    ];
    assert.match(byModel.out, new RegExp(`^${work.id}\\t[1-9]\\d*\\t\\d+\\t\\d+\\t`, "m"), byModel.err);
    assert.match(byModel.out, /^total\t/m);
    assert.match(byKey.out, /^Bootstrap key\t/m, byKey.err);
    assert.deepEqual([wrong.code, both.code], [2, 2], both.err);
    const { calls, replays } = dataOf<{ total: { calls: number; replays: number } }>(byDay).total;
    for (const name of ["usage.csv", "usage.jsonl"]) {
      const saved = await call("usage", "--save", inFolder(name));
      assert.equal(saved.code, 0, saved.err);
    }
    const lines = readFileSync(inFolder("usage.jsonl"), "utf8").trimEnd().split("\n");
    assert.ok(calls > 0 && lines.length === calls + replays, `${lines.length} of ${calls} and ${replays}`);
    assert.match(readFileSync(inFolder("usage.csv"), "utf8"), /^id,at,request_id/);
    const old = await call("usage", "--from", "2020-01-01", "--by", "day");
    assert.equal(old.err.match(/must be at most 400 days before to/g)?.length, 1, old.err);
  });

  test("gets a second version, a diff in words, a link, and is withdrawn", async () => {
    const same = await call("works", "publish", "lighthouse", "--form", inFolder("form.json"), "--title", "Lighthouse");
    assert.match(same.out, /No version was added/, same.err);
    const form = JSON.parse(readFileSync(inFolder("form.json"), "utf8"));
    form.inputs.pop();
    writeFileSync(inFolder("second.json"), JSON.stringify(form));
    const second = await call("works", "publish", "lighthouse", "--form", inFolder("second.json"), "--no-examples");
    assert.match(second.out, /version 2\./, second.err);
    const diff = await call("works", "diff", "lighthouse", "1", "2");
    assert.match(diff.out, /^Version 1 to 2:\n.*seed/s, diff.err);
    const shared = await call("works", "share", "lighthouse", "--budget", "5", "--label", "the fair");
    assert.match(shared.out, /^https?:\/\/\S+#\S+\n$/, shared.err);
    const listed = await call("works", "share", "lighthouse", "--list");
    const [id = ""] = listed.out.split("\t");
    assert.match(listed.out, /\tthe fair\t0 of 5\tno\t/, listed.err);
    assert.equal((await call("works", "share", "lighthouse", "--end", id, "--yes")).code, 0);
    assert.equal((await call("works", "rm", "lighthouse", "--yes")).code, 0);
    assert.equal((await call("works", "run", work.id, "prompt=x")).code, 4);
  });
});
