// The `html` tag: every value becomes text, escaped for element content and quoted attributes alike; only output of the tag
// itself is markup. There is no way to mark foreign text as safe. Templates quote every attribute and put no value into a
// script, a style, a comment or a URL scheme.
const made = Symbol("html");

export interface Html {
  readonly [made]: true;
  toString(): string;
}

export type HtmlValue = Html | string | number | null | undefined | readonly HtmlValue[];

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = strings[0] ?? "";
  for (const [index, value] of values.entries()) text += render(value) + (strings[index + 1] ?? "");
  return { [made]: true, toString: () => text };
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return made in value ? value.toString() : value.map(render).join("");
}
