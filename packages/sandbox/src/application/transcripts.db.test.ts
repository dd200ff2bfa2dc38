import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { ApplicationClient, type Heard, recordOf, until } from "../../test/support/application-client.ts";
import {
  cachedRun,
  failingGraph,
  failingRun,
  greeting,
  historyMembers,
  interruptedRun,
  nodeMembers,
  outputKinds,
  pictureGraph,
  pictureRun,
  refusals,
} from "../../test/support/application-transcripts.ts";
import { linesOf, shapeOf } from "../../test/support/transcript.ts";
import { type RunningSandboxApplication, startSandboxApplication } from "./start-application.ts";

let home: string;
let application: RunningSandboxApplication;
let submitter: ApplicationClient;
let other: ApplicationClient;
// The complete transcript of a run, as it arrived.
let recorded: readonly Heard[] = [];

before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-application-"));
  application = await startSandboxApplication({ home, version: "old" });
  submitter = await new ApplicationClient(application.url, "submitter").connect();
  other = await new ApplicationClient(application.url, "other").connect();
});

after(async () => {
  submitter.close();
  other.close();
  await application.close();
  await rm(home, { recursive: true, force: true });
});

// What the submitter hears from here on.
async function transcriptOf(
  act: () => Promise<string>,
): Promise<{ readonly id: string; readonly lines: readonly string[] }> {
  const from = submitter.heard.length;
  const id = await act();
  await submitter.ended(id);
  return { id, lines: linesOf(submitter.heard.slice(from)) };
}

async function upload(bytes: Uint8Array, name: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  form.set("image", new File([new Uint8Array(bytes)], name));
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  const answer = await fetch(`${application.url}/upload/image`, { method: "POST", body: form });
  return { status: answer.status, text: await answer.text() };
}

describe("what the application says, message by message", () => {
  test("greeting: status with the client's name, then its features once the client sent its own", () => {
    assert.deepEqual(linesOf(submitter.heard.slice(0, 2)), greeting);
    assert.equal(submitter.of("status")[0]?.["sid"], "submitter");
  });

  test("uploads keep the name for the same bytes, number it for others, and never leave the folder", async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const blue = await sharp({ create: { width: 8, height: 8, channels: 3, background: "blue" } })
      .png()
      .toBuffer();
    const answered = (name: string, subfolder = "") => ({
      status: 200,
      text: JSON.stringify({ name, subfolder, type: "input" }),
    });
    assert.deepEqual(await upload(png, "in.png"), answered("in.png"));
    assert.deepEqual(await upload(png, "in.png"), answered("in.png"));
    assert.deepEqual(await upload(blue, "in.png"), answered("in (1).png"));
    assert.deepEqual(await upload(png, "in.png", { subfolder: "sub/x" }), answered("in.png", "sub/x"));
    assert.deepEqual(await upload(png, "in.png", { subfolder: "../../x" }), { status: 400, text: "" });
  });

  test("a run goes only to its submitter; the others get only the queue's length", async () => {
    const from = other.heard.length;
    const begun = submitter.heard.length;
    const { id, lines } = await transcriptOf(() => submitter.submit(pictureGraph("in.png", 0.25)));
    assert.deepEqual(lines, pictureRun);
    recorded = submitter.heard.slice(begun);
    const heardByOthers = new Set(other.heard.slice(from).map(({ type }) => type));
    assert.deepEqual(heardByOthers, new Set(["status"]));
    const nodes = recordOf(submitter.of("progress_state").at(-1)?.["nodes"]);
    assert.deepEqual(Object.values(nodes).map(shapeOf), Array(7).fill(nodeMembers));
    const entry = await submitter.history(id);
    assert.deepEqual(Object.keys(entry).toSorted(), historyMembers.entry);
    assert.deepEqual(Object.keys(recordOf(entry["outputs"])), ["3", "5", "7"]);
    assert.equal(shapeOf(recordOf(entry["meta"])["3"]), historyMembers.meta);
    assert.deepEqual(messagesOf(entry), historyMembers.success);
  });

  test("a message that is missing, doubled, early, misnamed or of the wrong kind would be found", () => {
    const messages = withoutTicks(recorded);
    assert.deepEqual(linesOf(messages), pictureRun);
    for (const [at, message] of messages.entries()) {
      const without = messages.toSpliced(at, 1);
      const said = "bytes" in message ? "a preview" : message.type;
      assert.notDeepEqual(linesOf(without), pictureRun, `${said} ${at} is missing`);
      // For progress only changes count, so the same state may be sent twice.
      if (!/^progress/.test(said)) assert.notDeepEqual(linesOf(messages.toSpliced(at, 0, message)), pictureRun, said);
      const earlier = messages[at - 1];
      if (earlier && linesOf([earlier])[0] !== linesOf([message])[0])
        assert.notDeepEqual(
          linesOf(messages.toSpliced(at - 1, 2, message, earlier)),
          pictureRun,
          `${said} ${at} is early`,
        );
      if ("bytes" in message) continue;
      for (const [name, value] of Object.entries(message.data)) {
        const { [name]: _, ...others } = message.data;
        const misnamed = { ...message, data: { ...others, [`${name}s`]: value } };
        assert.notDeepEqual(linesOf(messages.with(at, misnamed)), pictureRun, `${said} ${name}s`);
        const wrong = { ...message, data: { ...message.data, [name]: typeof value === "number" ? "1" : 1 } };
        assert.notDeepEqual(linesOf(messages.with(at, wrong)), pictureRun, `${said} ${name} is of the wrong kind`);
      }
    }
  });

  test("the same prompt again is answered from memory, with the old file names", async () => {
    const { "1": load, "2": invert, "3": save } = pictureGraph("in.png", 0);
    const before = submitter.of("executed").find(({ node }) => node === "3");
    const { id, lines } = await transcriptOf(() => submitter.submit({ "1": load, "2": invert, "3": save }));
    assert.deepEqual(lines, cachedRun);
    const entry = await submitter.history(id);
    assert.deepEqual(recordOf(entry["outputs"])["3"], before?.["output"]);
  });

  test("a node that raises", async () => {
    const { id, lines } = await transcriptOf(() => submitter.submit(failingGraph));
    assert.deepEqual(lines, failingRun);
    const entry = await submitter.history(id);
    assert.deepEqual(messagesOf(entry), historyMembers.error);
    assert.partialDeepStrictEqual(entry["status"], { status_str: "error", completed: false });
  });

  test("an interruption reaches everybody", async () => {
    const from = other.heard.length;
    const sleeping = {
      "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 1 } },
      "2": { class_type: "TestSleep", inputs: { value: ["1", 0], seconds: 60 } },
      "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "s" } },
    };
    const { id, lines } = await transcriptOf(async () => {
      const promptId = await submitter.submit(sleeping);
      const isAsleep = () => submitter.of("progress").some((data) => data["prompt_id"] === promptId);
      await until(isAsleep);
      await submitter.post("/interrupt", { prompt_id: promptId });
      return promptId;
    });
    assert.deepEqual(lines, interruptedRun);
    await until(() => other.heard.slice(from).some(({ type }) => type === "execution_interrupted"));
    assert.deepEqual(messagesOf(await submitter.history(id)), historyMembers.interrupted);
  });

  test("a picture is shown in another format, or only its colours or its alpha", async () => {
    const view = async (query: string) => {
      const answer = await submitter.get(`/view?filename=in.png&type=input&${query}`);
      const { format, channels, width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      return [answer.status, answer.headers.get("content-type"), format, channels, width];
    };
    assert.deepEqual(await view("preview=webp;50"), [200, "image/webp", "webp", 3, 8]);
    assert.deepEqual(await view("preview=jpeg;50"), [200, "image/jpeg", "jpeg", 3, 8]);
    assert.deepEqual(await view("channel=rgb"), [200, "image/png", "png", 3, 8]);
    assert.equal((await view("channel=a"))[1], "image/png");
    assert.deepEqual(await view("channel=rgba"), [200, "image/png", "png", 3, 8]);
  });

  for (const { name, graph, shown } of outputKinds) {
    test(`outputs: ${name}`, async () => {
      const entry = await submitter.stored(await submitter.submit(graph));
      assert.deepEqual(recordOf(entry["outputs"])["3"], shown);
    });
  }

  test("an output is an input again under its annotated name, and under its bare name it is not found", async () => {
    const again = (image: string) => ({
      "1": { class_type: "LoadImage", inputs: { image } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "again" } },
    });
    const entry = await submitter.stored(await submitter.submit(again("b/64_00001_.png [output]")));
    assert.partialDeepStrictEqual(entry["status"], { status_str: "success" });
    const { status, text } = await submitter.post("/prompt", { prompt: again("b/64_00001_.png") });
    assert.equal(status, 400);
    assert.match(text, /Invalid image file: b\/64_00001_\.png/);
  });

  for (const { name, body, status, type, details, nodes } of refusals) {
    test(`refused or taken in part: ${name}`, async () => {
      const answer = await submitter.post("/prompt", body);
      assert.equal(answer.status, status, answer.text);
      const error = recordOf(answer.json["error"]);
      assert.equal(error["type"] ?? null, type);
      if (details !== undefined) assert.equal(error["details"], details);
      const found = Object.entries(recordOf(answer.json["node_errors"])).map(([id, problem]) => {
        const { class_type: classType, errors, dependent_outputs: spoils } = recordOf(problem);
        const types = Array.isArray(errors) ? errors.map((each) => String(recordOf(each)["type"])).toSorted() : [];
        return [id, [classType, types, spoils]];
      });
      assert.deepEqual(Object.fromEntries(found), nodes);
    });
  }

  test("invalid JSON is an internal error in plain text", async () => {
    const answer = await submitter.post("/prompt", "{not json");
    assert.equal(answer.status, 500);
    assert.equal(answer.text, "500 Internal Server Error\n\nServer got itself in trouble");
  });
});

// Only what makes a line of the transcript.
function withoutTicks(heard: readonly Heard[]): readonly Heard[] {
  const messages: Heard[] = [];
  for (const message of heard) {
    const before = linesOf(messages).length;
    messages.push(message);
    if (linesOf(messages).length === before) messages.pop();
  }
  return messages;
}

function messagesOf(entry: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { messages } = recordOf(entry["status"]);
  return Array.isArray(messages) ? messages.map((message) => (Array.isArray(message) ? message[0] : null)) : [];
}
