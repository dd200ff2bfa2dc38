import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, normalize, sep } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { ClientProblem } from "../server/client-problem.ts";
import { readTemplate, type TemplateValues, templateFields } from "./output-template.ts";

const values: TemplateValues = {
  label: "fox",
  job: "0198c1a2",
  node: "9",
  title: "Save: it",
  seed: "18446744073709551615",
  n: "1",
  name: "ComfyUI_00001_.png",
  stem: "ComfyUI_00001_",
  ext: "png",
  date: "2026-11-16",
  batch: "03",
  each: "cat",
};
const pathOf = (given: string, some: Partial<TemplateValues> = {}): string | undefined => {
  const file = readTemplate(given)?.fileOf({ ...values, ...some });
  return file && join(file.folder, file.name);
};

test("fields are replaced by their values; a folder keeps the names, and a name without an extension gets one", () => {
  assert.equal(pathOf("out/{label}_{seed}_{n}.{ext}"), "out/fox_18446744073709551615_1.png");
  assert.equal(pathOf("{date}/{label}/"), "2026-11-16/fox/ComfyUI_00001_.png");
  assert.equal(pathOf("out/{each}_{batch}"), "out/cat_03.png");
  assert.equal(pathOf("out/{label}.jpg"), "out/fox.jpg");
  assert.equal(pathOf("{{{label}}}"), "{fox}.png");
  assert.equal(pathOf("/tmp/{title}"), "/tmp/Save_ it.png");
  assert.equal(readTemplate("/tmp/a/{n}/b")?.folder, "/tmp/a");
  assert.equal(readTemplate("{n}")?.folder, ".");
});

test("a template without braces is a folder, and so is a folder that has them", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-{label}-"));
  context.after(() => rmSync(folder, { recursive: true }));
  assert.equal(readTemplate("out"), null);
  assert.equal(readTemplate(folder), null);
});

test("an unknown field and a single brace are refused, with the likely one and the whole list", () => {
  const refusal = (given: string) => {
    try {
      readTemplate(given);
    } catch (error) {
      return error instanceof ClientProblem ? `${error.message} ${error.facts.hint}` : "";
    }
    return "";
  };
  assert.match(refusal("{sed}.png"), /no field \{sed\}\. Did you mean "seed"\?.*\{label\} \{job\}/);
  assert.match(refusal("out/{seed"), /a single "\{"/);
  assert.match(refusal("out/seed}"), /a single "\}"/);
  assert.match(refusal("{}"), /no field \{\}/);
});

test("a dot early in a long name does not make the rest of it an extension", () => {
  const name = basename(pathOf("out/{name}", { name: `a.${"💡".repeat(200)}` }) ?? "");
  assert.ok(name.startsWith("a.💡") && Buffer.byteLength(name) <= 255, name);
});

test("no value leads out of the folder, makes folders or makes a name that file systems refuse", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.constantFrom("..", ".", "../..", "/etc/passwd", "a/../../b", "..\\..", "\u0000", "", " ", "~", "💡".repeat(200)),
  );
  fc.assert(
    fc.property(fc.constantFrom(...templateFields), hostile, (field, value) => {
      for (const template of [`out/{${field}}`, `out/{${field}}/x.{ext}`, `out/a{${field}}b`]) {
        const path = normalize(pathOf(template, { [field]: value }) ?? "");
        assert.ok(path.startsWith(`out${sep}`), path);
        assert.equal(path.split(sep).length, template.split("/").length, path);
        for (const part of path.split(sep)) {
          assert.ok(!["", ".", ".."].includes(part), path);
          assert.ok(Buffer.byteLength(part) <= 255, part);
          assert.ok(!part.includes("\u0000") && !part.includes("\\"), path);
        }
      }
    }),
  );
});
