// Installs templates from wheels into a folder that the server reads: each workflow, one small still picture of it, and an
// index with what people read. The folder appears under its name only when everything is there, and replaces the one before.
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { templateNamePattern } from "@atelier/contract";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { readEntries, type WheelEntry } from "../../foundation/wheels/wheel-entries.ts";
import { templatesMax, workflowBytesMax } from "./open-templates.ts";
import { type AboutTemplate, indexName, type TemplateIndex } from "./template-index.ts";

export interface AskedInstall {
  readonly folder: string;
  readonly wheels: readonly string[];
  readonly installedAt: Date;
  // A small picture. Null if the bytes are none.
  shrink(bytes: Uint8Array): Promise<Uint8Array | null>;
  onProgress(done: { readonly workflows: number; readonly pictures: number }): void;
}

export interface InstalledTemplates {
  readonly version: string;
  readonly workflows: number;
  readonly pictures: number;
}

const isName = new RegExp(templateNamePattern);
const pictureBytesMax = 32 * 1024 ** 2;
const file = /(?:^|\/)templates\/([^/]+)$/;
const picture = /^(.+)-1\.(?:webp|png|jpe?g|gif)$/i;
// Lists of the package itself, in several languages.
const isIndex = (name: string): boolean => /^index([._].*)?$/.test(name);

export async function installTemplates(asked: AskedInstall): Promise<InstalledTemplates> {
  const part = `${asked.folder}.part`;
  const old = `${asked.folder}.old`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  try {
    const written = await writeWorkflows(asked, part);
    if (written.names.size === 0) throw new UsageProblem(["None of these wheels has templates."]);
    const pictures = await writePictures(asked, part, written.names);
    const version = versionIn(asked.wheels);
    const index: TemplateIndex = {
      package: { name: "comfyui-workflow-templates", version, installed_at: asked.installedAt.toISOString() },
      // The order is the package's own, which people see.
      templates: Object.fromEntries([...written.about].filter(([name]) => written.names.has(name))),
    };
    await writeFile(join(part, indexName), JSON.stringify(index));
    await rm(old, { recursive: true, force: true });
    await rename(asked.folder, old).catch(() => undefined);
    await rename(part, asked.folder);
    await rm(old, { recursive: true, force: true });
    return { version, workflows: written.names.size, pictures };
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

async function writeWorkflows({ wheels, onProgress }: AskedInstall, part: string) {
  const names = new Set<string>();
  const about = new Map<string, AboutTemplate>();
  for (const wheel of wheels)
    for await (const entry of readEntries(wheel, (path) => file.test(path) && path.endsWith(".json"))) {
      const name = basename(entry.path, ".json");
      if (name === "index") for (const [key, value] of aboutIn(await jsonOf(entry))) about.set(key, value);
      if (isIndex(name) || !isName.test(name) || entry.size > workflowBytesMax || names.size >= templatesMax) continue;
      const bytes = await entry.bytes();
      if (!isWorkflow(bytes)) continue;
      names.add(name);
      await writeFile(join(part, `${name}.json`), bytes);
      onProgress({ workflows: names.size, pictures: 0 });
    }
  return { names, about };
}

async function writePictures(
  { wheels, shrink, onProgress }: AskedInstall,
  part: string,
  names: ReadonlySet<string>,
): Promise<number> {
  const nameOf = (path: string) => picture.exec(file.exec(path)?.[1] ?? "")?.[1] ?? "";
  const done = new Set<string>();
  for (const wheel of wheels)
    for await (const entry of readEntries(wheel, (path) => names.has(nameOf(path)))) {
      const name = nameOf(entry.path);
      if (done.has(name) || entry.size > pictureBytesMax) continue;
      const small = await shrink(await entry.bytes());
      if (small === null) continue;
      done.add(name);
      await writeFile(join(part, `${name}.webp`), small);
      onProgress({ workflows: names.size, pictures: done.size });
    }
  return done.size;
}

// The package's own list: categories, each with its templates.
function aboutIn(list: unknown): [string, AboutTemplate][] {
  return (Array.isArray(list) ? list : []).filter(isRecord).flatMap((category) =>
    (Array.isArray(category["templates"]) ? category["templates"] : [])
      .filter(isRecord)
      .map((each): [string, AboutTemplate] => {
        const tags = (Array.isArray(each["tags"]) ? each["tags"] : []).filter(
          (tag: unknown) => typeof tag === "string",
        );
        const text = (value: unknown, most: number) =>
          typeof value === "string" && value !== "" ? value.slice(0, most) : undefined;
        const [title, description] = [text(each["title"], 200), text(each["description"], 2_000)];
        const kind = text(category["title"], 100);
        return [
          String(each["name"]),
          {
            ...(title === undefined ? {} : { title }),
            ...(description === undefined ? {} : { description }),
            ...(kind === undefined ? {} : { category: kind }),
            tags: tags.slice(0, 32).map((tag) => tag.slice(0, 100)),
          },
        ];
      }),
  );
}

async function jsonOf(entry: WheelEntry): Promise<unknown> {
  try {
    return entry.size > workflowBytesMax ? null : JSON.parse((await entry.bytes()).toString());
  } catch {
    return null;
  }
}

function isWorkflow(bytes: Buffer): boolean {
  const value = jsonOrUndefined(bytes);
  return (
    isRecord(value) &&
    (Array.isArray(value["nodes"]) || Object.values(value).some((node) => isRecord(node) && "class_type" in node))
  );
}

// comfyui_workflow_templates-0.11.97-py3-none-any.whl, of which the rest are parts.
function versionIn(wheels: readonly string[]): string {
  const names = wheels.map((wheel) => basename(wheel));
  const whole = names.find((name) => /^comfyui_workflow_templates-/.test(name)) ?? names[0] ?? "";
  return whole.split("-")[1] ?? "unknown";
}
