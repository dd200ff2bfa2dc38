// A page's structure as assistive technology reads it: headings, controls, tables and their columns, without what differs
// from one server to the next. Kept in files beside the tests, so that a change of structure shows in review;
// ATELIER_TEST_OUTLINES=write rewrites them.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Visit } from "./scene.ts";

const folder = join(import.meta.dirname, "outlines");
const isWriting = process.env["ATELIER_TEST_OUTLINES"] === "write";

// What is kept of a page; anything else is replaced by its contents.
const kept = new Set(
  [
    "navigation",
    "search",
    "form",
    "region",
    "figure",
    "heading",
    "link",
    "button",
    "tablist",
    "tab",
    "tabpanel",
    "table",
    "list",
  ].concat([
    "columnheader",
    "textbox",
    "searchbox",
    "combobox",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "group",
    "img",
  ]),
);
// How many things of a row or list are kept; the rest is more of the same.
const rowMost = 6;
const alwaysListed = new Set(["heading", "region", "tab", "columnheader"]);

interface Part {
  readonly role: string;
  readonly line: string;
  readonly parts: Part[];
}

export async function requireOutline(visit: Visit, name: string): Promise<void> {
  const outline = await settledOutline(visit);
  const file = join(folder, `${name}.txt`);
  if (isWriting) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, outline);
    return;
  }
  assert.ok(existsSync(file), `${name} has no outline yet: ATELIER_TEST_OUTLINES=write makes it`);
  assert.equal(outline, readFileSync(file, "utf8"), `${name}: if it is meant, ATELIER_TEST_OUTLINES=write keeps it`);
}

// Parts of a page are loaded when what they show is known, so it is read until it stays as it is.
async function settledOutline({ page }: Visit): Promise<string> {
  for (let [outline, stayed] = ["", 0]; ; await sleep(150)) {
    const now = outlineOf(await page.getByRole("main").ariaSnapshot());
    stayed = now === outline ? stayed + 1 : 0;
    outline = now;
    if (stayed === 4) return outline;
  }
}

export function outlineOf(snapshot: string): string {
  const root: Part = { role: "", line: "", parts: [] };
  const open: (readonly [depth: number, part: Part])[] = [[-1, root]];
  for (const line of snapshot.split("\n")) {
    const [, space = "", role = "", rest = ""] = /^( *)- '?([\w]+)(.*)$/.exec(line) ?? [];
    if (role === "") continue;
    while ((open.at(-1)?.[0] ?? -1) >= space.length) open.pop();
    const above = open.at(-1)?.[1] ?? root;
    const part = kept.has(role) ? { role, line: `${role}${nameIn(rest)}`, parts: [] } : { ...above, role };
    if (part.parts !== above.parts) above.parts.push(part);
    open.push([space.length, part]);
  }
  return `${linesOf(root, -1).join("\n")}\n`;
}

// Its name and its state (chosen, pressed, a heading's level). Numbers, ids, times and quoted texts are only marked as
// present.
function nameIn(rest: string): string {
  const [name = ""] = /^ "(?:[^"\\]|\\.)*"/.exec(rest) ?? [];
  const states = rest.slice(name.length).matchAll(/\[(?:level=\d|selected|pressed|checked|disabled|expanded)[^\]]*\]/g);
  const plain = name
    .replaceAll(/\\"[^"]*\\"|\b(?=[a-f]*\d)[0-9a-f]{6,}(?:-[0-9a-f]+)*|\d[\d.,:]*/g, "#")
    .replaceAll(/just now|# \w+ ago|[A-Z][a-z]{2} # #(?: [AP]M)?/g, "#");
  return [plain, ...[...states].map(([state]) => ` ${state}`)].join("");
}

function linesOf({ role: parent, line, parts }: Part, depth: number): string[] {
  const own = depth < 0 ? [] : [`${"  ".repeat(depth)}${line}`];
  const inner = parts.flatMap((part, at) => {
    const before = parent === "list" ? -1 : parts.slice(0, at).findLastIndex(({ role }) => role !== part.role);
    if (at - before <= rowMost || (parent !== "list" && alwaysListed.has(part.role))) return linesOf(part, depth + 1);
    return at - before === rowMost + 1 ? [`${"  ".repeat(depth + 1)}… more`] : [];
  });
  return [...own, ...inner];
}
