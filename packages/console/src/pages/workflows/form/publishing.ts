// What is published, from what a person filled in; and where the server's refusals belong.
import type { PublishWork, WorkForm } from "@atelier/sdk";
import { workForm } from "#strings/works/form";
import type { ApiFault, FieldFault } from "../../../api/fault.ts";
import type { Input } from "../../../api/model-calls/model-run.ts";

const words = workForm.publish;

export interface Example {
  readonly title: string;
  readonly inputs: Input;
}

export interface Publication {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly visibility: "private" | "shared" | "public";
  // Ids of workspaces, as typed.
  readonly sharedWith: string;
  readonly note: string;
  // The first half of all ids, as typed; only with the first work.
  readonly provider: string;
  readonly runsDefaults: boolean;
}

const nameMax = 110;

export function workNameFrom(text: string): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, nameMax)
    .replaceAll(/^-+|-+$/g, "");
  return plain === "" ? "work" : plain;
}

const workName = /^(?!.*[.]v[0-9]+$)[a-z0-9]+([._-][a-z0-9]+)*$/;
const providerName = /^w[.][a-z0-9]+([._-][a-z0-9]+)*$/;

export function wrongName(name: string): string | null {
  if (name === "") return words.nameMissing;
  if (/[.]v[0-9]+$/.test(name)) return words.nameVersion;
  return workName.test(name) && name.length <= nameMax ? null : words.nameWrong;
}

export const wrongProvider = (text: string): string | null =>
  text === "" || (providerName.test(withPrefix(text)) && withPrefix(text).length <= 64) ? null : words.providerWrong;

// People type "acme"; the prefix belongs to every work.
const withPrefix = (text: string): string => (text.startsWith("w.") ? text : `w.${text}`);

export const workspacesIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((id) => id !== ""),
  ),
];

export function publicationBody(
  publication: Publication,
  what: {
    readonly workflowId: string;
    readonly version: number;
    readonly form: WorkForm;
    readonly examples: readonly Example[];
  },
): PublishWork {
  const { title, description, note, visibility, provider, runsDefaults } = publication;
  const given = what.examples.map(({ title: said, inputs }) => ({
    ...(said.trim() === "" ? {} : { title: said.trim() }),
    inputs,
  }));
  return {
    workflow_id: what.workflowId,
    version: what.version,
    form: what.form,
    visibility,
    ...(visibility === "shared" ? { shared_with: workspacesIn(publication.sharedWith) } : {}),
    ...(title.trim() === "" ? {} : { title: title.trim() }),
    ...(description.trim() === "" ? {} : { description: description.trim() }),
    ...(note.trim() === "" ? {} : { note: note.trim() }),
    ...(provider === "" ? {} : { provider: withPrefix(provider) }),
    // Left out, the server runs one example with the defaults.
    ...(given.length === 0 && runsDefaults ? {} : { examples: given }),
  };
}

export interface Refusals {
  // Below the form's own root.
  readonly form: readonly FieldFault[];
  // By the example's position.
  readonly examples: ReadonlyMap<number, string>;
  // By the member of the body.
  readonly fields: ReadonlyMap<string, string>;
}

export function refusalsIn({ fields }: Pick<ApiFault, "fields">): Refusals {
  const form: FieldFault[] = [];
  const examples = new Map<number, string>();
  const others = new Map<string, string>();
  for (const { path, message } of fields) {
    const [first, second, ...rest] = path[0] === "body" ? path.slice(1) : path;
    if (first === "form") form.push({ path: [second ?? "", ...rest].map(numbered), message });
    else if (first === "examples" && second !== undefined) {
      const where = rest.filter((part) => part !== "inputs").join(".");
      examples.set(Number(second), where === "" ? message : words.exampleField(where, message));
    } else others.set(String(first ?? ""), message);
  }
  return { form, examples, fields: others };
}

const numbered = (part: string | number): string | number => (/^\d+$/.test(String(part)) ? Number(part) : part);
