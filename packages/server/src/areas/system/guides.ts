// The documents as pages of the server itself, so that people without the repository can read them, and errors can link to them.
import { type Html, html } from "../../foundation/http/html.ts";
import { type LinkTo, renderMarkdown } from "./markdown.ts";
import { referenceStyle } from "./reference-style.ts";

export interface Guide {
  // In addresses: the file's name in lower case.
  readonly name: string;
  // For people with a task, rather than a reference.
  readonly isTask: boolean;
  readonly text: string;
}

export const guidesPath = "/docs/guides";

export function guideIndex(guides: readonly Guide[]): string {
  const entries = guides.map((guide) => ({ ...guide, title: titleOf(guide) }));
  const listOf = (isTask: boolean) =>
    entries
      .filter((entry) => entry.isTask === isTask)
      .map(({ name, title }) => html`<li><a href="${`${guidesPath}/${name}`}">${title}</a></li>`);
  return page(
    "Guides",
    html`<h1>Guides</h1><p class="quiet">The documents of the version that runs here.</p><h2>Begin here</h2><ul class="guides">${listOf(true)}</ul><h2>Everything</h2><ul class="guides">${listOf(false)}</ul>`,
  );
}

// Null if there is no such document.
export function guidePage(guides: readonly Guide[], name: string): string | null {
  const guide = guides.find((each) => each.name === name);
  if (guide === undefined) return null;
  const { title, body, parts } = renderMarkdown(guide.text, linkWithin(guides, guide.isTask));
  const contents =
    parts.length < 3
      ? null
      : html`<nav class="panel" aria-label="Contents"><ul>${parts.map((part) => html`<li><a href="${`#${part.id}`}">${part.title}</a></li>`)}</ul></nav>`;
  const [heading, ...rest] = body;
  return page(title, html`${heading}${contents}${rest}`);
}

// To another document, a heading or the web. Files of the repository are not here, so their names stay plain text.
function linkWithin(guides: readonly Guide[], isTask: boolean): LinkTo {
  return (target) => {
    if (/^https:\/\//.test(target) || target.startsWith("#")) return target;
    const [, folder = "", file = "", anchor = ""] = /^(\.\.\/|guides\/)?([\w-]+)\.md(#[\w-]*)?$/.exec(target) ?? [];
    const leadsToTask = folder === "" ? isTask : folder === "guides/";
    // The folder above the documents is the repository.
    if (folder === "../" && !isTask) return null;
    const found = guides.find((each) => each.name === file.toLowerCase() && each.isTask === leadsToTask);
    return found ? `${guidesPath}/${found.name}${anchor}` : null;
  };
}

const titleOf = ({ text, name }: Guide): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? name;

function page(title: string, content: Html): string {
  const whole = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><style></style></head><body>
<a class="skip" href="#page">Skip to content</a>
<header class="bar"><a class="home" href="/">Atelier <span>guides</span></a><div class="tools"><a class="button" href="${guidesPath}">All guides</a><a class="button" href="/docs">API reference</a></div></header>
<main id="page" class="alone guide">${content}</main></body></html>`;
  return whole.toString().replace("<style></style>", () => `<style>${referenceStyle}</style>`);
}
