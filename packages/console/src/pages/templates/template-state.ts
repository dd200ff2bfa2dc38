// What a template needs here, as one word and as words for its card.
import type { Template } from "@atelier/sdk";
import { templatePage as words } from "#strings/templates/page";

export type TemplateState = "runs" | "key" | "more";

// A key is entered in a minute; weights and nodes need a machine that has them.
export function stateOf({ runs_here: runs, needs }: Pick<Template, "runs_here" | "needs">): TemplateState {
  if (runs) return "runs";
  return needs.classes.length + needs.weights.length === 0 && needs.providers.length > 0 ? "key" : "more";
}

export function stateWords({ runs_here: runs, needs, files }: Pick<Template, "runs_here" | "needs" | "files">): string {
  if (runs) return files.length === 0 ? words.card.runs : words.card.runsWithFiles(files.length);
  const said = [
    needs.providers.length === 0 ? null : words.card.key(shortened(needs.providers)),
    needs.classes.length === 0 ? null : words.card.classes(shortened(needs.classes)),
    needs.weights.length === 0 ? null : words.card.weights(shortened(needs.weights)),
  ].filter((part) => part !== null);
  return said[0] ?? words.card.broken;
}

const shortened = (names: readonly string[]): string =>
  names.length <= 2 ? names.join(", ") : words.and(names.slice(0, 2).join(", "), names.length - 2);

export interface TemplateFilters {
  readonly q?: string | undefined;
  readonly category?: string | undefined;
  readonly state?: TemplateState | undefined;
}

// Every word must occur somewhere.
export function matchesTemplate(template: Template, { q = "", category, state }: TemplateFilters): boolean {
  if (category !== undefined && template.category !== category) return false;
  if (state !== undefined && stateOf(template) !== state) return false;
  const { name, title, description, tags } = template;
  const text = [name, title, description ?? "", ...tags].join(" ").toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
