import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

function loadsPictures(entry: string): boolean {
  const code = `await import(${JSON.stringify(import.meta.resolve(entry))});
    console.log(process.report.getReport().sharedObjects.some((name) => name.includes("vips")));`;
  const flags = [
    "--conditions=atelier-source",
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "-e",
    code,
  ];
  return execFileSync(process.execPath, flags, { encoding: "utf8" }).trim() === "true";
}

test("a gateway beside a sandbox loads none of the code that draws pictures", () => {
  assert.equal(loadsPictures("./beside.ts"), false);
  assert.equal(loadsPictures("./index.ts"), true, "the question can be answered with yes");
});
