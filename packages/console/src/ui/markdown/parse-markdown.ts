// A small part of Markdown as data: headings, paragraphs, lists, quotes, code, tables, and emphasis, code and links in a
// line. The text comes from strangers: tags are dropped, only web addresses become links, pictures become links too, and
// every pattern has a bound, so that no text takes long.

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong"; readonly text: string }
  | { readonly kind: "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

export interface ListItem {
  readonly depth: number;
  readonly text: string;
}

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly ListItem[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "rule" };

const blocksMax = 2_000;

export function parseMarkdown(source: string): readonly Block[] {
  const lines = source.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length && blocks.length < blocksMax; ) {
    const read = readBlock(lines, at);
    if (read.block !== null) blocks.push(read.block);
    at = read.next;
  }
  return evenLevels(blocks);
}

interface Read {
  readonly block: Block | null;
  readonly next: number;
}

function readBlock(lines: readonly string[], at: number): Read {
  const line = lines[at] ?? "";
  const trimmed = line.trim();
  if (trimmed === "") return { block: null, next: at + 1 };
  if (/^(```|~~~)/.test(trimmed)) return readFence(lines, at, trimmed.slice(0, 3));
  const [, marks, title = ""] = /^(#{1,6})\s+(.{1,500})/.exec(trimmed) ?? [];
  if (marks !== undefined) {
    const text = title.replace(/\s#{1,6}$/, "").trim();
    return { block: { kind: "heading", level: marks.length, text }, next: at + 1 };
  }
  if (/^(-{3,}|\*{3,}|_{3,})$/.test(trimmed)) return { block: { kind: "rule" }, next: at + 1 };
  if (isTableHead(trimmed, lines[at + 1] ?? "")) return readTable(lines, at);
  if (itemOf(line) !== null) return readList(lines, at);
  if (trimmed.startsWith(">")) {
    const end = endOf(lines, at, (one) => one.trim().startsWith(">"));
    const text = lines.slice(at, end).map((one) => one.trim().replace(/^>+\s?/, ""));
    return { block: { kind: "quote", text: joined(text) }, next: end };
  }
  const end = endOf(lines, at + 1, (one, next) => one.trim() !== "" && !beginsBlock(one, lines[next + 1] ?? ""));
  const text = joined(lines.slice(at, end));
  return { block: text === "" ? null : { kind: "paragraph", text }, next: end };
}

function endOf(lines: readonly string[], from: number, goesOn: (line: string, at: number) => boolean): number {
  let end = from;
  while (end < lines.length && goesOn(lines[end] ?? "", end)) end += 1;
  return end;
}

const beginsBlock = (line: string, next: string): boolean =>
  /^\s*(#{1,6}\s|```|~~~|>)/.test(line) || itemOf(line) !== null || isTableHead(line.trim(), next);

function readFence(lines: readonly string[], at: number, fence: string): Read {
  const end = endOf(lines, at + 1, (one) => !one.trim().startsWith(fence));
  return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
}

function itemOf(line: string): (ListItem & { readonly isOrdered: boolean }) | null {
  const [, space = "", mark, text = ""] = /^(\s{0,40})([-*+]|\d{1,9}[.)])\s+(\S.*)$/.exec(line) ?? [];
  if (mark === undefined) return null;
  const depth = Math.min(4, Math.floor(space.replaceAll("\t", "  ").length / 2));
  return { isOrdered: /\d/.test(mark), depth, text: text.replace(/^\[[ xX]\]\s/, "") };
}

function readList(lines: readonly string[], at: number): Read {
  const items: { depth: number; text: string }[] = [];
  let isOrdered = false;
  const end = endOf(lines, at, (line, here) => {
    const item = itemOf(line);
    if (item !== null) {
      if (here === at) isOrdered = item.isOrdered;
      items.push({ depth: item.depth, text: item.text });
      return true;
    }
    const last = items.at(-1);
    if (line.trim() === "" || !/^\s/.test(line) || last === undefined) return false;
    last.text = `${last.text} ${line.trim()}`;
    return true;
  });
  return { block: { kind: "list", isOrdered, items }, next: end };
}

const isTableHead = (line: string, next: string): boolean =>
  line.includes("|") && /^\s*\|?[\s:|-]{3,400}$/.test(next) && next.includes("-") && next.includes("|");

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .slice(0, 20)
    .map((cell) => cell.trim());

function readTable(lines: readonly string[], at: number): Read {
  const head = cellsOf(lines[at] ?? "");
  const end = endOf(lines, at + 2, (line) => line.includes("|"));
  const rows = lines.slice(at + 2, end).map((line) => head.map((_, column) => cellsOf(line)[column] ?? ""));
  return { block: { kind: "table", head, rows }, next: end };
}

// Lines of one paragraph. Tags and comments say nothing to a reader.
const joined = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .join(" ")
    .replace(/<!--.{0,2000}?-->/g, "")
    .replace(/<\/?[a-zA-Z][^<>]{0,1000}>/g, "")
    .trim();

// Levels without gaps, so that a screen reader's outline has none: the highest becomes 1.
function evenLevels(blocks: readonly Block[]): readonly Block[] {
  const used = [...new Set(blocks.flatMap((block) => (block.kind === "heading" ? [block.level] : [])))].sort();
  return blocks.map((block) => (block.kind === "heading" ? { ...block, level: used.indexOf(block.level) + 1 } : block));
}

const inlinePattern =
  /`([^`\n]{1,500})`|!?\[([^[\]\n]{0,300})\]\(([^()\s]{1,500})[^()\n]{0,200}\)|\*\*([^*\n]{1,300})\*\*|\*([^*\s][^*\n]{0,300})\*|(https?:\/\/[^\s<>"'`()]{1,500})/g;

export function parseInline(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  const say = (words: string) => {
    if (words !== "") parts.push({ kind: "text", text: words });
  };
  let end = 0;
  for (const found of text.matchAll(inlinePattern)) {
    const [whole, code, label, href, strong, emphasis, bare] = found;
    say(text.slice(end, found.index));
    end = found.index + whole.length;
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (strong !== undefined) parts.push({ kind: "strong", text: strong });
    else if (emphasis !== undefined) parts.push({ kind: "emphasis", text: emphasis });
    else if (bare !== undefined) parts.push({ kind: "link", text: bare, href: bare });
    else if (href !== undefined && isWebAddress(href)) parts.push({ kind: "link", text: label || href, href });
    else say(label ?? "");
  }
  say(text.slice(end));
  return parts;
}

function isWebAddress(href: string): boolean {
  return /^https?:\/\//i.test(href) && URL.canParse(href);
}
