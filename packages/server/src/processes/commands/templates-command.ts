// `atelier templates install|remove|status`: the public templates on this machine. A running server sees them at once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createShrinker } from "../../capabilities/assets/index.ts";
import {
  downloadWheels,
  installedFolder,
  installTemplates,
  readIndex,
  templatesPackage,
} from "../../capabilities/templates/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import { createLog } from "../../foundation/log.ts";
import { type Command, type CommandInput, type CommandResult, type ReadCommand, readCommand } from "./command.ts";

export const templatesCommand: Command = {
  async run(listed, input) {
    const read = readCommand(listed, input);
    const folder = installedFolder(resolve(read.config.home));
    if (read.verb === "install") return install(folder, read, input);
    if (read.verb === "remove") return remove(folder);
    return status(folder);
  },
};

// Wide enough for a card on a dense screen.
const pictureSide = 512;

async function install(
  folder: string,
  { config, options, words }: ReadCommand,
  input: CommandInput,
): Promise<CommandResult> {
  const temporary = await mkdtemp(join(tmpdir(), "atelier-templates-"));
  const shrinker = createShrinker({ log: createLog({ level: config.logLevel === "info" ? "warn" : config.logLevel }) });
  try {
    const wheels = words.length > 0 ? words.map((each) => resolve(each)) : await download(temporary, options, input);
    // A line that is redrawn, if a person is watching.
    const tell = (line: string) => void input.redraw(line);
    const installed = await installTemplates({
      folder,
      wheels,
      installedAt: systemClock.now(),
      shrink: (bytes) => shrinker.shrink(bytes, pictureSide),
      onProgress: ({ workflows, pictures }) => tell(`${workflows} workflows, ${pictures} pictures`),
    });
    tell("");
    return {
      data: { ...installed, folder },
      text: `Installed ${installed.workflows} templates of ${templatesPackage} ${installed.version}, ${installed.pictures} with a picture, in ${folder}.`,
      afterwards: "See which of them run here: atelier templates ls --runs, or Templates in the console.",
    };
  } finally {
    await shrinker.close();
    await rm(temporary, { recursive: true, force: true });
  }
}

function download(folder: string, options: ReadCommand["options"], input: CommandInput): Promise<readonly string[]> {
  const { version } = options;
  return downloadWheels({
    folder,
    version: typeof version === "string" ? version : undefined,
    isWithPictures: options["without-pictures"] !== true,
    say: (line) => input.say(line),
  });
}

async function remove(folder: string): Promise<CommandResult> {
  const index = await readIndex(folder).catch(() => null);
  await rm(folder, { recursive: true, force: true });
  const text = index === null ? "No templates were installed." : `Removed the templates in ${folder}.`;
  return { data: { removed: index !== null, folder }, text };
}

async function status(folder: string): Promise<CommandResult> {
  const index = await readIndex(folder);
  if (index?.package === undefined)
    return { data: null, text: "No public templates are installed. Get them with: atelier templates install" };
  const { name, version, installed_at } = index.package;
  const count = Object.keys(index.templates).length;
  return {
    data: { package: name, version, installed_at, templates: count, folder },
    text: `${name} ${version}, ${count} templates, installed ${installed_at.slice(0, 10)} in ${folder}`,
  };
}
