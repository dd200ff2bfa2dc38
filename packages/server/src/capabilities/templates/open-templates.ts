// Workflows to start from: files in the operator's folder and in the folder of installed ones, each with a picture of the same
// name beside it if there is one. Folders are read at each request, so a file that is added or changed counts at once; what a
// file needs is read again only when the file changes.
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { templateNamePattern } from "@atelier/contract";
import { BoundedMap } from "@atelier/engine/bounded-map";
import { Fault } from "../../foundation/fault.ts";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { nextTurn } from "../../foundation/json/large-json.ts";
import type { Log } from "../../foundation/log.ts";
import { factsOf, type TemplateFacts } from "./template-facts.ts";
import { type AboutTemplate, indexName, readIndex } from "./template-index.ts";

export type TemplateSource = "operator" | "installed";

export interface Template extends AboutTemplate {
  readonly name: string;
  readonly source: TemplateSource;
  readonly title: string;
  readonly hasPicture: boolean;
  // Null if the file is no workflow.
  readonly facts: TemplateFacts | null;
}

export interface Templates {
  // In the order of the folder's index, then by name; the operator's first. Of two with the same name the operator's counts.
  list(source?: TemplateSource): Promise<readonly Template[]>;
  // The file's bytes, a JSON object. Null if there is no such template.
  workflow(name: string): Promise<Uint8Array | null>;
  picture(name: string): Promise<{ readonly type: string; readonly bytes: Uint8Array } | null>;
}

export const templatesMax = 2_000;
export const workflowBytesMax = 8 * 1024 ** 2;
const pictureBytesMax = 4 * 1024 ** 2;
const isName = new RegExp(templateNamePattern);
// An SVG could contain scripts, so it is not a picture here.
const pictureTypes: Readonly<Record<string, string>> = {
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
};

export interface TemplateFolder {
  readonly source: TemplateSource;
  readonly path: string;
  // Not having it is no fault: nothing was installed.
  readonly mayBeAbsent: boolean;
}

// Where installed ones are kept.
export const installedFolder = (home: string): string => join(home, "templates");

// The operator's own folder first.
export function templateFolders(home: string, own: string | null): readonly TemplateFolder[] {
  const installed: TemplateFolder = { source: "installed", path: installedFolder(home), mayBeAbsent: true };
  return own === null ? [installed] : [{ source: "operator", path: own, mayBeAbsent: false }, installed];
}

interface Listed {
  readonly folder: TemplateFolder;
  readonly about: AboutTemplate;
  // Its position in the folder's index.
  readonly rank: number;
  readonly workflow: string;
  readonly picture: string | null;
}

export function openTemplates(folders: readonly TemplateFolder[], log: Pick<Log, "error">): Templates {
  const known = new BoundedMap<string, { readonly mark: string; readonly facts: TemplateFacts | null }>(templatesMax);

  async function listed(source?: TemplateSource): Promise<ReadonlyMap<string, Listed>> {
    const asked = folders.filter((folder) => source === undefined || folder.source === source);
    const found = (await Promise.all(asked.map((folder) => filesIn(folder, log)))).flat();
    const listed = new Map<string, Listed>();
    for (const [name, entry] of found) if (!listed.has(name)) listed.set(name, entry);
    return new Map([...listed].slice(0, templatesMax));
  }

  async function factsIn({ folder, workflow }: Listed): Promise<TemplateFacts | null> {
    const path = join(folder.path, workflow);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile() || found.size > workflowBytesMax) return null;
    const mark = `${found.size} ${found.mtimeMs} ${found.ino}`;
    const before = known.get(path);
    if (before?.mark === mark) return before.facts;
    const document = await readFile(path).then(jsonObject, () => null);
    const facts = document && factsOf(document);
    known.set(path, { mark, facts });
    await nextTurn();
    return facts;
  }

  return {
    async list(source) {
      const templates: Template[] = [];
      for (const [name, entry] of await listed(source)) {
        const { folder, about, picture } = entry;
        const facts = await factsIn(entry);
        const title = about.title ?? titleOf(name);
        templates.push({ ...about, name, source: folder.source, title, hasPicture: picture !== null, facts });
      }
      return templates;
    },
    async workflow(name) {
      const entry = (await listed()).get(name);
      const bytes = entry === undefined ? null : await bytesOf(entry.folder, entry.workflow, workflowBytesMax);
      return bytes !== null && jsonObject(bytes) !== null ? bytes : null;
    },
    async picture(name) {
      const entry = (await listed()).get(name);
      const file = entry?.picture;
      const bytes = entry && file ? await bytesOf(entry.folder, file, pictureBytesMax) : null;
      return file && bytes ? { type: pictureTypes[extname(file)] ?? "application/octet-stream", bytes } : null;
    },
  };
}

async function filesIn(
  folder: TemplateFolder,
  log: Pick<Log, "error">,
): Promise<readonly (readonly [string, Listed])[]> {
  const files = await readdir(folder.path).catch((error: unknown) => {
    if (folder.mayBeAbsent && isRecord(error) && error["code"] === "ENOENT") return [];
    log.error({ err: error, folder: folder.path }, "the templates folder cannot be read");
    throw new Fault("service_unavailable", "The templates cannot be read now. The server's log says why.");
  });
  const index = await readIndex(folder.path).catch((error: unknown) => {
    log.error({ err: error, folder: folder.path }, `the ${indexName} of a templates folder is wrong and is not used`);
    return null;
  });
  const pictures = new Map(
    files.flatMap((file) => (extname(file) in pictureTypes ? [[withoutEnding(file), file] as const] : [])),
  );
  const ranks = new Map(Object.keys(index?.templates ?? {}).map((name, at) => [name, at]));
  return files
    .filter((file) => file.endsWith(".json") && file !== indexName && isName.test(withoutEnding(file)))
    .toSorted()
    .map((workflow): readonly [string, Listed] => {
      const name = withoutEnding(workflow);
      const rank = ranks.get(name) ?? ranks.size;
      const about = index?.templates[name] ?? {};
      return [name, { folder, about, rank, workflow, picture: pictures.get(name) ?? null }];
    })
    .toSorted(([, one], [, other]) => one.rank - other.rank);
}

// Null for what is no file, too large, or gone since it was listed.
async function bytesOf(folder: TemplateFolder, file: string, bytesMax: number): Promise<Buffer | null> {
  const path = join(folder.path, file);
  const found = await stat(path).catch(() => null);
  return found?.isFile() && found.size <= bytesMax ? readFile(path).catch(() => null) : null;
}

const withoutEnding = (file: string): string => file.slice(0, -extname(file).length);

// night-glow becomes Night glow.
function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function jsonObject(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  const value = jsonOrUndefined(bytes);
  return isRecord(value) ? value : null;
}
