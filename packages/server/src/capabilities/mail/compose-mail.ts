// A message as plain text, and the same in small HTML: paragraphs and at most one link, nothing that a mail program would fetch.
import { escapeHtml } from "../../foundation/http/html.ts";

export interface MailText {
  readonly subject: string;
  readonly lines: readonly string[];
  // Where people look it up. Null if the server does not know its own address.
  readonly link: string | null;
  // Why they get it.
  readonly footer: string;
}

const subjectMax = 150;

// Always one line, even if a name in it has line breaks.
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

export function subjectOf({ subject }: MailText): string {
  return oneLine(subject).slice(0, subjectMax);
}

export function plainText({ lines, link, footer }: MailText): string {
  const paragraphs = [...lines.map(oneLine), ...(link === null ? [] : [link]), `--\n${oneLine(footer)}`];
  return `${paragraphs.join("\n\n")}\n`;
}

// From the plain text alone, so that both say the same.
export function htmlOf(text: string): string {
  const paragraphs = text
    .trim()
    .split("\n\n")
    .map((paragraph) => {
      const safe = escapeHtml(paragraph);
      if (/^https?:\/\/\S+$/.test(paragraph)) return `<p><a href="${safe}">${safe}</a></p>`;
      return paragraph.startsWith("--\n")
        ? `<p><small>${escapeHtml(paragraph.slice(3))}</small></p>`
        : `<p>${safe}</p>`;
    });
  return `<!doctype html><html><body>${paragraphs.join("")}</body></html>`;
}
