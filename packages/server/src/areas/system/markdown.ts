// Our documents as HTML. It knows the part of Markdown that they use: headings, paragraphs, lists, tables, code, quotes, bold,
// emphasis and links. Every text goes through `html`, which escapes it, so a document cannot bring markup of its own.
import { type Html, html } from "../../foundation/http/html.ts";

// Where a link leads; null to show its text alone.
export type LinkTo = (target: string) => string | null;

export interface Rendered {
  readonly title: string;
  readonly body: readonly Html[];
  // The second-level headings, for a list of contents.
  readonly parts: readonly { readonly id: string; readonly title: string }[];
}

export function renderMarkdown(text: string, linkTo: LinkTo): Rendered {
  const blocks = blocksOf(text.replaceAll(/<!--[\s\S]*?-->/g, ""));
  const parts = blocks.flatMap((block) =>
    block.kind === "heading" && block.level === 2 ? [{ id: slugOf(block.text), title: plainText(block.text) }] : [],
  );
  const first = blocks.find((block) => block.kind === "heading");
  return {
    title: first?.kind === "heading" ? plainText(first.text) : "",
    body: blocks.map((block) => blockHtml(block, linkTo)),
    parts,
  };
}

type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "text"; readonly text: string };

function blocksOf(text: string): readonly Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const { block, next } = blockAt(lines, at);
    if (block !== null) blocks.push(block);
    at = Math.max(next, at + 1);
  }
  return blocks;
}

function blockAt(lines: readonly string[], at: number): { readonly block: Block | null; readonly next: number } {
  const line = lines[at] ?? "";
  if (line.trim() === "") return { block: null, next: at + 1 };
  const [, hashes, heading] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
  if (hashes !== undefined && heading !== undefined)
    return { block: { kind: "heading", level: hashes.length, text: heading.trim() }, next: at + 1 };
  if (/^\s*```/.test(line)) {
    const end = endOf(lines, at + 1, (each) => /^\s*```\s*$/.test(each));
    return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
  }
  if (line.startsWith("|")) {
    const end = endOf(lines, at, (each) => !each.startsWith("|"));
    const rows = lines.slice(at, end).map(cellsOf);
    return { block: { kind: "table", rows: rows.filter((cells) => !cells.every(isRule)) }, next: end };
  }
  if (line.startsWith(">")) {
    const end = endOf(lines, at, (each) => !each.startsWith(">"));
    const said = lines.slice(at, end).map((each) => each.replace(/^> ?/, ""));
    return { block: { kind: "quote", text: said.join(" ") }, next: end };
  }
  if (itemStart.test(line)) return listAt(lines, at);
  const end = endOf(
    lines,
    at + 1,
    (each) => each.trim() === "" || /^(#{1,6} |```|\||>)/.test(each) || itemStart.test(each),
  );
  return { block: { kind: "text", text: lines.slice(at, end).join(" ") }, next: end };
}

const itemStart = /^(?:[-*]|\d+\.) /;
const isRule = (cell: string): boolean => /^:?-+:?$/.test(cell);
// A bar within code is part of its cell.
const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, "")
    .replace(/\|\s*$/, "")
    .split(/(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

function listAt(lines: readonly string[], at: number): { readonly block: Block; readonly next: number } {
  const items: string[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? "";
    const isItem = itemStart.test(line);
    const goesOn = /^\s+\S/.test(line) || (line.trim() === "" && /^\s+\S/.test(lines[next + 1] ?? ""));
    if (!isItem && !goesOn && !(line.trim() !== "" && next > at && (lines[next - 1] ?? "").trim() !== "")) break;
    if (isItem) items.push(line.replace(itemStart, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`.trimEnd());
  }
  return { block: { kind: "list", isOrdered: /^\d/.test(lines[at] ?? ""), items }, next };
}

function endOf(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const found = lines.findIndex((line, at) => at >= from && isEnd(line));
  return found < 0 ? lines.length : found;
}

function blockHtml(block: Block, linkTo: LinkTo): Html {
  const say = (text: string) => inline(text, linkTo);
  switch (block.kind) {
    case "heading":
      return headingHtml(block.level, slugOf(block.text), say(block.text));
    case "code":
      return html`<pre tabindex="0"><code>${block.text}</code></pre>`;
    case "quote":
      return html`<blockquote>${say(block.text)}</blockquote>`;
    case "text":
      return html`<p>${say(block.text)}</p>`;
    case "list": {
      const items = block.items.map((item) => html`<li>${say(item)}</li>`);
      return block.isOrdered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case "table": {
      const [head = [], ...rows] = block.rows;
      return html`<div class="wide" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th scope="col">${say(cell)}</th>`)}</tr></thead><tbody>${rows.map((row) => rowHtml(row, say))}</tbody></table></div>`;
    }
  }
}

// A row about one code can be linked to by it, as errors do.
function rowHtml(row: readonly string[], say: (text: string) => readonly (Html | string)[]): Html {
  const cells = row.map((cell) => html`<td>${say(cell)}</td>`);
  const [, code] = /^`([a-z][a-z0-9_]*)`$/.exec(row[0] ?? "") ?? [];
  return code === undefined ? html`<tr>${cells}</tr>` : html`<tr id="${code}">${cells}</tr>`;
}

function headingHtml(level: number, id: string, content: readonly (Html | string)[]): Html {
  if (level === 1) return html`<h1 id="${id}">${content}</h1>`;
  if (level === 2) return html`<h2 id="${id}">${content}</h2>`;
  return html`<h3 id="${id}">${content}</h3>`;
}

// Code first, so that nothing within it is read as markup.
function inline(text: string, linkTo: LinkTo): readonly (Html | string)[] {
  return text.split(/(`[^`]+`)/).flatMap((part): (Html | string)[] => {
    if (part.startsWith("`") && part.length > 1) return [html`<code>${part.slice(1, -1)}</code>`];
    return part.split(/(!?\[[^\]]*\]\([^)\s]+\))/).flatMap((piece) => linked(piece, linkTo));
  });
}

function linked(piece: string, linkTo: LinkTo): (Html | string)[] {
  const [, picture, words = "", target = ""] = /^(!?)\[([^\]]*)\]\(([^)\s]+)\)$/.exec(piece) ?? [];
  if (picture === undefined) return emphasised(piece);
  // Pictures stay in the repository.
  if (picture === "!") return [];
  const to = linkTo(target);
  if (to === null) return emphasised(words);
  return [html`<a href="${to}" rel="noreferrer">${emphasised(words)}</a>`];
}

function emphasised(text: string): (Html | string)[] {
  return text.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).map((part) => {
    if (part.startsWith("**") && part.length > 4) return html`<strong>${part.slice(2, -2)}</strong>`;
    return part.startsWith("*") && part.length > 2 ? html`<em>${part.slice(1, -1)}</em>` : part;
  });
}

const plainText = (text: string): string => text.replaceAll(/`|\*\*?|\[([^\]]*)\]\([^)]*\)/g, "$1");

// The address of a heading, as code hosts make it, so that links in the documents work here too.
export function slugOf(heading: string): string {
  return plainText(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}
