import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseJson } from "../../foundation/json/json-bytes.ts";
import { diffOutlines } from "./diff-outlines.ts";
import { documentWords, searchWords, splitWords } from "./search-words.ts";
import { outlineWorkflow } from "./workflow-outline.ts";

const api = (text: string) => outlineWorkflow(parseJson(Buffer.from(text)), false);
const editor = (value: object) => outlineWorkflow(parseJson(Buffer.from(JSON.stringify(value))), true);
const wordsBetween = (before: string, after: string) => diffOutlines(api(before), api(after)).map(({ words }) => words);

const prompt = (text: string) => `{"6":{"class_type":"TextPrompt","inputs":{"text":${JSON.stringify(text)}}}}`;

describe("what changed, in words", () => {
  test("an input that has another value", () => {
    assert.deepEqual(wordsBetween(prompt("a cat"), prompt("a dog")), [
      'TextPrompt (6): text changed from "a cat" to "a dog".',
    ]);
  });

  test("a seed beyond 2^53 that differs in its last digit", () => {
    const seed = (digits: string) => `{"3":{"class_type":"KSampler","inputs":{"seed":${digits}}}}`;
    assert.deepEqual(wordsBetween(seed("9007199254740993"), seed("9007199254740992")), [
      "KSampler (3): seed changed from 9007199254740993 to 9007199254740992.",
    ]);
  });

  test("nodes that came and went, and a link that moved", () => {
    const before =
      '{"1":{"class_type":"LoadImage","inputs":{}},"2":{"class_type":"SaveImage","inputs":{"images":["1",0]}}}';
    const after =
      '{"2":{"class_type":"SaveImage","_meta":{"title":"Poster"},"inputs":{"images":["4",1]}},"4":{"class_type":"EmptyImage","inputs":{}}}';
    assert.deepEqual(wordsBetween(before, after), [
      "Removed LoadImage (1).",
      "Renamed SaveImage (2) to “Poster”.",
      "SaveImage “Poster” (2): images changed from the output of LoadImage (1) to the output of EmptyImage (4), output 2.",
      "Added EmptyImage (4).",
    ]);
  });

  test("nothing, if only the order of members differs", () => {
    const one = '{"1":{"class_type":"A","inputs":{"x":{"a":1,"b":[2]}}}}';
    const other = '{"1":{"inputs":{"x":{"b":[2],"a":1}},"class_type":"A"}}';
    assert.deepEqual(wordsBetween(one, other), []);
  });
});

describe("an editor's document", () => {
  const document = {
    nodes: [
      { id: 1, type: "LoadImage", inputs: [{ name: "image", widget: { name: "image" } }], widgets_values: ["a.png"] },
      { id: 2, type: "SaveImage", title: "Poster", inputs: [{ name: "images", link: 7 }], widgets_values: ["out", 3] },
    ],
    links: [[7, 1, 0, 2, 0, "IMAGE"]],
    definitions: { subgraphs: [{ id: "s", nodes: [{ id: 1, type: "Inner" }], links: [] }] },
  };

  test("has its nodes, links and widgets, those of subgraphs too", () => {
    const outline = editor(document);
    assert.deepEqual([...outline.keys()], ["1", "2", "s:1"]);
    assert.deepEqual(outline.get("1")?.inputs.get("image"), { kind: "value", text: '"a.png"' });
    assert.deepEqual(outline.get("2")?.inputs.get("images"), { kind: "link", from: "1", slot: 0 });
    assert.deepEqual(outline.get("2")?.inputs.get("value 2"), { kind: "value", text: "3" });
  });

  test("may hold anything without being refused", () => {
    for (const odd of [
      { nodes: 7 },
      { nodes: [null, 1, { type: 2 }] },
      { nodes: [{ type: "A", inputs: [1] }], links: [{}] },
    ])
      assert.ok(editor(odd).size <= 1);
  });
});

describe("words to search by", () => {
  test("are the parts of names, and not the file names as a whole", () => {
    assert.deepEqual(splitWords("SD_XL base.safetensors, ünïcode 4K"), [
      "sd",
      "xl",
      "base",
      "safetensors",
      "ünïcode",
      "4k",
    ]);
  });

  test("come from classes, titles and texts, and the name is never pushed out", () => {
    const outline = api(
      '{"6":{"class_type":"LoadImageMask","_meta":{"title":"Sky"},"inputs":{"text":"red barn","n":5}}}',
    );
    const words = searchWords({ name: "Farm", folder: "a/b", tags: ["x"] }, documentWords(outline.values()));
    for (const word of ["farm", "a", "x", "tag=x", "class=LoadImageMask", "image", "sky", "barn"])
      assert.ok(words.includes(word), word);
    const many = Array.from({ length: 5_000 }, (_, at) => `word${at}`);
    assert.ok(searchWords({ name: "Farm", folder: "", tags: [] }, many).includes("farm"));
  });
});
