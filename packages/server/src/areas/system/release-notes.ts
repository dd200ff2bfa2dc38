// The release notes in their four forms: Markdown, a page, JSON and an Atom feed. The server's own notes come first, then the
// program's.
import type { ProgramRelease, ReleaseNoteList, ReleaseNote as WireNote } from "@atelier/contract";
import type { ReleaseNote } from "../../capabilities/release-notes/index.ts";
import { type Html, html } from "../../foundation/http/html.ts";
import { referenceStyle } from "./reference-style.ts";

export type NotesForm = "markdown" | "html" | "json" | "atom";

export interface Notes {
  readonly server: readonly ReleaseNote[];
  readonly program: readonly ProgramRelease[];
}

// Chosen by the query, else by the Accept header; Markdown if neither says anything.
export function chooseForm(format: string | null, accept: string | undefined): NotesForm | null {
  if (format !== null) return forms.find((form) => form === format) ?? null;
  const types = (accept ?? "").toLowerCase();
  if (types.includes("application/atom+xml")) return "atom";
  if (types.includes("text/html")) return "html";
  return types.includes("application/json") ? "json" : "markdown";
}

const forms = ["markdown", "html", "json", "atom"] as const;

// CHANGELOG.md, split at its release headings: `## 0.1.0 — 2026-11-01`.
export function readReleases(text: string): ProgramRelease[] {
  return (
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const [heading = "", ...lines] = part.split("\n");
        const [, date = null] = /(\d{4}-\d\d-\d\d)/.exec(heading) ?? [];
        const version = heading.replace(/[^\w.+-].*$/, "").trim();
        return { version: version === "" ? heading.trim() : version, date, text: lines.join("\n").trim() };
      })
      // Right after a release, nothing is unreleased.
      .filter((release) => release.text !== "")
  );
}

export function presentNotes({ server, program }: Notes): ReleaseNoteList {
  return { server: server.map(presentNote), program: [...program] };
}

function presentNote({ at, kind, subject, change, deprecatedAt, sunsetAt }: ReleaseNote): WireNote {
  const dates = { deprecated_at: deprecatedAt?.toISOString() ?? null, sunset_at: sunsetAt?.toISOString() ?? null };
  return { at: at.toISOString(), kind, subject, change, ...dates };
}

const kindWords: Readonly<Record<ReleaseNote["kind"], string>> = {
  model: "Model",
  partner_tool: "Partner tool",
  badge: "Price badge",
  node_version: "Node",
};

export function noteWords({ kind, subject, change, sunsetAt }: ReleaseNote): string {
  return `${kindWords[kind]} ${subject} ${change}${untilWords({ change, sunsetAt })}`;
}

const untilWords = ({ change, sunsetAt }: Pick<ReleaseNote, "change" | "sunsetAt">): string =>
  sunsetAt === null || change === "removed" ? "" : `; it will be removed on ${day(sunsetAt)}`;

const day = (at: Date): string => at.toISOString().slice(0, 10);

export function notesMarkdown(notes: Notes, program: string): string {
  if (notes.server.length === 0) return program;
  const lines = notes.server.map((note) => `- ${day(note.at)}: ${noteWords(note)}`);
  return `# Changes on this server\n\n${lines.join("\n")}\n\n${program}`;
}

export function notesPage({ server, program }: Notes): string {
  const days = Map.groupBy(server, ({ at }) => day(at));
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Release notes</title><link rel="alternate" type="application/atom+xml" href="/release-notes?format=atom"><style></style></head><body>
<header class="bar"><a class="home" href="/">Atelier <span>release notes</span></a><div class="tools"><a class="button" href="/release-notes?format=atom">Feed</a><a class="button" href="/docs">API reference</a></div></header>
<main id="page" class="alone"><h1>Release notes</h1><p class="quiet">What changed on this server, then what changed in the program itself.</p>
<section class="panel"><h2>This server</h2>${server.length === 0 ? html`<p class="quiet">No changes yet.</p>` : [...days].map(([date, notes]) => html`<h3>${date}</h3><dl class="notes">${groupsOf(notes).map(([words, names]) => html`<dt>${words}</dt><dd><ul>${names.map((name) => html`<li><code>${name}</code></li>`)}</ul></dd>`)}</dl>`)}</section>
${program.map((release) => html`<section class="panel"><h2>${release.version}${release.date === null ? "" : ` · ${release.date}`}</h2>${markdown(release.text)}</section>`)}
</main></body></html>`;
  return page.toString().replace("<style></style>", () => `<style>${referenceStyle}</style>`);
}

// Groups the notes of one day: a first start records some thirty things, and one line for each would be a wall.
export function groupsOf(notes: readonly ReleaseNote[]): [words: string, names: string[]][] {
  const groups = Map.groupBy(notes, (note) => `${note.change} ${note.kind} ${untilWords(note)}`);
  return [...groups.values()].map((group) => {
    const [first] = group;
    if (first === undefined) return ["", []];
    const kind = kindWords[first.kind];
    const counted = group.length === 1 ? kind : `${group.length} ${kind.toLowerCase()}s`;
    return [`${counted} ${first.change}${untilWords(first)}`, group.map(({ subject }) => subject)];
  });
}

// The subset of Markdown that our notes use: headings, lists, paragraphs, bold, code and links, whose targets are files here.
function markdown(text: string): Html[] {
  return text.split(/\n\s*\n/).map((block) => {
    const [, heading] = /^#{3,} (.*)/.exec(block) ?? [];
    if (heading !== undefined) return html`<h3>${heading}</h3>`;
    if (!block.startsWith("- ")) return html`<p>${inline(block)}</p>`;
    const items = block.split(/\n(?=- )/).map((item) => item.replace(/^- /, "").replace(/\s*\n\s*/g, " "));
    return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
  });
}

function inline(text: string): (Html | string)[] {
  const plain = text.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  return plain.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.startsWith("*") && part.length > 2) return html`<em>${part.slice(1, -1)}</em>`;
    return part.startsWith("`") ? html`<code>${part.slice(1, -1)}</code>` : part;
  });
}

export function notesFeed({ server }: Notes, baseUrl: string): string {
  const updated = server[0]?.at ?? new Date(0);
  const entries = server.map(
    (note) =>
      html`<entry><id>${`${baseUrl}/release-notes#${note.kind}-${note.subject.replace(/\s/g, "-")}-${note.change}-${note.at.getTime()}`}</id><title>${noteWords(note)}</title><updated>${note.at.toISOString()}</updated><link href="${`${baseUrl}/release-notes`}"/></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n${html`<feed xmlns="http://www.w3.org/2005/Atom"><id>${`${baseUrl}/release-notes`}</id><title>Release notes</title><updated>${updated.toISOString()}</updated><author><name>Atelier</name></author><link rel="self" href="${`${baseUrl}/release-notes?format=atom`}"/>${entries}</feed>`}\n`;
}
