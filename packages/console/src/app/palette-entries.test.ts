import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "@atelier/sdk";
import { labelQuery } from "../api/labels.ts";
import { entriesOf, pathOf } from "./palette-entries.ts";

const none = { found: [], jobs: [], classes: [], saved: [], works: [] };
const shown = (q: string, known: Partial<typeof none> = {}) =>
  entriesOf(q, { ...none, ...known }).map(({ kind, title }) => `${kind} ${title}`);

test("a node class is found by part of its name, the nearest first, and opens on the page of classes", () => {
  const classes = ["ImageScaleBy", "ImageScale", "SaveImage", "KSampler"];
  assert.deepEqual(
    entriesOf("imagescale", { ...none, classes }).map(({ title }) => title),
    ["ImageScale", "ImageScaleBy"],
  );
  const [first] = entriesOf("ksampler", { ...none, classes });
  assert.deepEqual(first && "to" in first && first.to, "/console/classes?class=KSampler");
  assert.equal(pathOf["node_class"]?.("A B"), "/console/classes?class=A%20B");
});

test("a job is found by its label, once, even when the server names it by its id", () => {
  const job = { id: "j", status: "succeeded", metadata: "spring sale", outputs: [] } as unknown as Job;
  const found = [{ kind: "job", id: "j", title: "Job j" }];
  assert.deepEqual(
    entriesOf("spring sale", { ...none, jobs: [job], found }).map(({ key }) => key),
    ["job j"],
  );
  assert.deepEqual(labelQuery("spring sale"), { metadata: "spring sale" });
  assert.deepEqual(labelQuery("shot=7"), { "metadata[shot]": "7" });
});

test("saved workflows and works are found by name, and lead to their pages", () => {
  const saved = [{ id: "s1", name: "Spring poster" }];
  const works = [{ id: "w.acme/poster", title: null }];
  const found = entriesOf("poster", {
    ...none,
    saved,
    works,
    found: [{ kind: "model", id: "w.acme/poster", title: "x" }],
  });
  assert.deepEqual(
    found.map((entry) => [entry.kind, entry.title, "to" in entry && entry.to]),
    [
      ["work", "w.acme/poster", "/console/models/w.acme/poster"],
      ["workflow", "Spring poster", "/console/workflows/s1"],
    ],
  );
});

test("actions and pages are found by their words", () => {
  assert.ok(shown("api key").includes("action Create an API key"));
  assert.ok(shown("api key").includes("page API keys"));
  assert.ok(shown("dark").includes("action Use the dark theme"));
  assert.deepEqual(shown("zzzz"), []);
});
