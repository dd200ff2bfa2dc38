// The names of a run: its label, the metadata stored with the job, and the names of its output files.
import { basename, extname } from "node:path";
import { requireFolder } from "../files/output-path.ts";
import { type OutputTemplate, readTemplate } from "../files/output-template.ts";
import { type ClientCall, wrongCall } from "../read-call.ts";
import { type ApiGraph, titleOf } from "./graph-inputs.ts";
import type { Seed } from "./graph-seeds.ts";
import { folderTarget, type OutputTarget, safeName } from "./save-outputs.ts";

export type Metadata = string | Readonly<Record<string, string>>;

// The label is the workflow file's name unless one was given; "" means none.
export function readLabel(call: Pick<ClientCall, "text" | "words">): string {
  const [file = ""] = call.words;
  return call.text("label") ?? (file === "-" ? "" : basename(file, extname(file)));
}

// A map only if one was asked for: servers and scripts expect the label as a string.
export function readMetadata(call: ClientCall, label: string): Metadata | undefined {
  const pairs = call.texts("metadata").map((text) => parsePair("run", text));
  const keys = pairs.map(([key]) => key);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) throw wrongCall("run", [`--metadata sets ${twice} twice.`]);
  if (pairs.length === 0) return label === "" ? undefined : label;
  return Object.fromEntries([...(label === "" ? [] : [["label", label] as const]), ...pairs]);
}

export function parsePair(command: string, text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw wrongCall(command, [`--metadata must be key=value, not "${text}".`]);
  return [text.slice(0, at), text.slice(at + 1)];
}

export interface OutputNames {
  readonly template: OutputTemplate | null;
  targetOf(run: RunNames): OutputTarget;
}

export interface RunNames {
  readonly jobId: string;
  readonly graph: ApiGraph;
  readonly seed: Seed | null;
  readonly file: string | null;
  readonly number: number;
  readonly count: number;
}

// Tries right away whether it can be written; with --no-wait nothing will be.
export function outputNames(call: ClientCall, label: string): OutputNames {
  const given = call.text("output") ?? ".";
  const template = readTemplate(given);
  if (!call.has("no-wait")) requireFolder(template?.folder ?? given);
  const now = new Date();
  return {
    template,
    targetOf: (run) =>
      template === null ? folderTarget(given) : templateTarget(given, template, { ...run, label, now }),
  };
}

function templateTarget(
  given: string,
  template: OutputTemplate,
  { jobId, graph, seed, file, number, count, label, now }: RunNames & { readonly label: string; readonly now: Date },
): OutputTarget {
  return {
    given,
    fileOf(output, n) {
      const name = safeName(output);
      const extension = extname(name);
      const node = graph[output.node_id];
      return template.fileOf({
        label,
        job: jobId,
        node: output.node_id,
        title: (node && titleOf(node)) ?? String(node?.class_type ?? output.node_id),
        seed: seed === null ? "" : String(seed),
        n: String(n),
        name,
        stem: basename(name, extension),
        ext: extension.slice(1),
        date: dayOf(now),
        batch: String(number).padStart(String(count).length, "0"),
        each: file === null ? "" : basename(file, extname(file)),
      });
    },
  };
}

// In the person's time zone.
const dayOf = (moment: Date): string =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
