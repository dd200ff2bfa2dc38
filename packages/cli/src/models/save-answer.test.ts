import assert from "node:assert/strict";
import { test } from "node:test";
import { safeName } from "../jobs/save-outputs.ts";
import { mediaIn } from "./save-answer.ts";

test("media is found as an address, as a data: URL and as base64, at any depth", () => {
  const png = Buffer.from("\u0089PNG\r\n\u001a\nand more of it", "latin1");
  const found = mediaIn({
    images: [{ url: "https://files.example/a.png?x=1" }, { url: "https://files.example/no-extension" }],
    data: [{ b64_json: png.toString("base64") }],
    inline: `data:audio/wav;base64,${Buffer.from("RIFF....WAVE").toString("base64")}`,
    docs: "https://files.example/help",
    text: "no address",
    seed: 2n ** 64n,
  });
  assert.deepEqual(
    found.map((medium) => (medium.kind === "address" ? medium.url : medium.extension)),
    ["https://files.example/a.png?x=1", "https://files.example/no-extension", "png", "wav"],
  );
});

test("an address for polling a task is not media, whatever its name", () => {
  const found = mediaIn({
    status_url: "https://api.example/v1/tasks/1",
    urls: {
      cancel_url: "https://api.example/v1/tasks/1/cancel",
      response_url: "https://api.example/v1/tasks/1/answer",
    },
    webhook_url: "https://caller.example/hooks",
    polling_url: "https://api.example/v1/get?id=1",
    result: { video: { url: "https://files.example/clip.webp" }, image_url: "https://files.example/still" },
  });
  assert.deepEqual(
    found.map((medium) => medium.kind === "address" && medium.url),
    ["https://files.example/clip.webp", "https://files.example/still"],
  );
});

test("a file that the answer names keeps its name", () => {
  const url = "https://files.example/c/0198c1a2";
  const found = mediaIn({
    outputs: {
      picture: [
        { url, name: "fox_00001_.png" },
        { url, name: "a fox" },
      ],
    },
    name: "x.png",
  });
  assert.deepEqual(
    found.map((medium) => medium.kind === "address" && medium.name),
    ["fox_00001_.png", null],
  );
});

test("an answer without media has none", () => {
  assert.deepEqual(mediaIn({ text: "a haiku", usage: { tokens: 5 } }), []);
  assert.deepEqual(mediaIn(null), []);
});

test("a name from the server never leaves the folder it is saved in", () => {
  const id = "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6";
  const names = { "../../etc/passwd": "passwd", "a\\..\\b.png": "b.png", "sub/fox.png": "fox.png", "..": id, "": id };
  for (const [name, safe] of Object.entries(names)) assert.equal(safeName({ name, id }), safe);
  assert.equal(safeName({ name: "a\u0000b:c.png", id }), "a_b_c.png");
});
