// One file of many modules must behave like them; what the bundler does not understand must end the build.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { checkout } from "./support/command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-bundle-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const { bundle }: { bundle(entry: string, inside: string): string } = await import(
  join(checkout, "scripts/bundle.mjs")
);

let built = 0;
function bundled(files: Readonly<Record<string, string>>): string {
  const place = join(folder, String(built++));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  return bundle(join(place, "main.js"), "@atelier/none");
}

test("a bundle says what its modules say: each runs once, when it is first needed", () => {
  const text = bundled({
    "main.js": `import { said, again as more } from "./parts/index.js";
import { sep } from "node:path";
said.push(sep.length, more(), import.meta.dirname.length > 0);
const { late } = await import("./parts/late.js");
late();
process.stdout.write(JSON.stringify(said));
`,
    "parts/index.js": `export { said } from "./said.js";
export { again } from "./again.js";
export const unused = 1;
`,
    "parts/said.js": `const own = ["first", "… é 😀", /^[…😀]$/u.test("😀")];
export { own as said };
`,
    "parts/again.js": `import { said } from "./said.js";
said.push("again");
export function again() {
    return "called";
}
`,
    "parts/late.js": `import { said } from "./said.js";
said.push("late", import.meta.dirname.endsWith("/parts"));
export class Late {
}
export const late = () => said.push("called late", new Late() instanceof Late);
`,
  });
  assert.match(text, /^\p{ASCII}*$/u);
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", text], { encoding: "utf8", timeout: 60_000 });
  const [first, ...rest] = JSON.parse(ran.stdout || `["${ran.stderr}"]`);
  assert.equal(first, "first");
  assert.deepEqual(rest, ["… é 😀", true, "again", 1, "called", true, "late", true, "called late", true]);
});

test("what it does not understand ends the build", () => {
  const refusals: [string, RegExp][] = [
    ['import yaml from "yaml";\n', /says what is not understood/],
    ['import { parse } from "yaml";\n', /import it where it is used/],
    ['import * as fs from "node:fs";\n', /says what is not understood/],
    ["export let count = 0;\n", /says what is not understood/],
    ["export default 5;\n", /says what is not understood/],
    ['import { a } from "./main.js";\n', /imports itself/],
    ["export const a = 1;\n", /exports something/],
  ];
  for (const [text, pattern] of refusals) assert.throws(() => bundled({ "main.js": text }), pattern, text);
});
