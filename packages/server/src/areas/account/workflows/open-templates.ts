// The operator's templates: workflow files in a folder, each with a picture of the same name beside it if there is one. Read at
// each request, so that a file that is added or changed counts at once.
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { templateNamePattern } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";
import type { Templates } from "./templates.route.ts";

const templatesMax = 200;
const workflowBytesMax = 8 * 1024 ** 2;
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

interface Listed {
  readonly workflow: string;
  readonly picture: string | null;
}

export function openTemplates(folder: string | null, log: Pick<Log, "error">): Templates {
  if (folder === null) return { list: async () => [], workflow: async () => null, picture: async () => null };

  async function listed(): Promise<ReadonlyMap<string, Listed>> {
    const files = await readdir(folder ?? "").catch((error: unknown) => {
      log.error({ err: error, folder }, "the templates folder cannot be read");
      throw new Fault("service_unavailable", "The templates cannot be read now. The server's log says why.");
    });
    const pictures = new Map(
      files.flatMap((file) => (extname(file) in pictureTypes ? [[withoutEnding(file), file] as const] : [])),
    );
    return new Map(
      files
        .filter((file) => file.endsWith(".json") && isName.test(withoutEnding(file)))
        .toSorted()
        .slice(0, templatesMax)
        .map((file) => [
          withoutEnding(file),
          { workflow: file, picture: pictures.get(withoutEnding(file)) ?? null } satisfies Listed,
        ]),
    );
  }

  // Null for what is no file, too large, or gone since it was listed.
  async function bytesOf(file: string, bytesMax: number): Promise<Buffer | null> {
    const path = join(folder ?? "", file);
    const found = await stat(path).catch(() => null);
    return found?.isFile() && found.size <= bytesMax ? readFile(path).catch(() => null) : null;
  }

  return {
    async list() {
      const found = [...(await listed())];
      return found.map(([name, { picture }]) => ({ name, title: titleOf(name), hasPicture: picture !== null }));
    },
    async workflow(name) {
      const entry = (await listed()).get(name);
      const bytes = entry === undefined ? null : await bytesOf(entry.workflow, workflowBytesMax);
      return bytes !== null && isJsonObject(bytes) ? bytes : null;
    },
    async picture(name) {
      const file = (await listed()).get(name)?.picture;
      const bytes = file ? await bytesOf(file, pictureBytesMax) : null;
      return file && bytes ? { type: pictureTypes[extname(file)] ?? "application/octet-stream", bytes } : null;
    },
  };
}

const withoutEnding = (file: string): string => file.slice(0, -extname(file).length);

// night-glow becomes Night glow.
function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function isJsonObject(bytes: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
