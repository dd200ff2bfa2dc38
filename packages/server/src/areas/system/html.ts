// Text into HTML, always escaped: the tag makes it impossible to forget.
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | null | undefined;

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((all, piece, index) => all + render(parts[index - 1]) + piece));
}

function render(part: Part): string {
  if (part === null || part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map((each: Html) => each.text).join("");
  return escapeHtml(String(part));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
