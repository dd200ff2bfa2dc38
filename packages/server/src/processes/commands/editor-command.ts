// `atelier editor install|remove|show`: the ecosystem's editor on this machine. A running server sees it at once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  editorPackage,
  installEditor,
  newestTested,
  readInstalled,
  removeEditor,
} from "../../capabilities/editor/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { downloadWheel } from "../../foundation/wheels/download-wheel.ts";
import { type Command, type CommandInput, type CommandResult, type ReadCommand, readCommand } from "./command.ts";

export const editorCommand: Command = {
  async run(listed, input) {
    const read = readCommand(listed, input);
    const home = resolve(read.config.home);
    if (read.verb === "install") return install(home, read, input);
    if (read.verb === "remove") return remove(home);
    return show(home);
  },
};

async function install(home: string, { options }: ReadCommand, input: CommandInput): Promise<CommandResult> {
  const { file, version } = options;
  if (file !== undefined && version !== undefined)
    throw new UsageProblem(["Give either --file or --version: a file has its version in it."]);
  const temporary = await mkdtemp(join(tmpdir(), "atelier-editor-"));
  try {
    const wheel = typeof file === "string" ? resolve(file) : await download(temporary, version, input);
    const installed = await installEditor({
      home,
      wheel,
      installedAt: systemClock.now(),
      onProgress: (files) => void input.redraw(`${files} files`),
    });
    input.redraw("");
    return {
      data: installed,
      text: `Installed ${editorPackage} ${installed.version}, ${installed.files} files, in ${installed.folder}.`,
      warnings: installed.isTested ? [] : [notTested(installed.version)],
      afterwards: "Open it from the console, or at /editor on the server.",
    };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function download(folder: string, version: string | boolean | undefined, input: CommandInput): Promise<string> {
  const wanted = typeof version === "string" ? version : newestTested;
  if (!/^[\w.+-]{1,64}$/.test(wanted)) throw new UsageProblem([`--version is not a version: ${wanted}`]);
  input.say(`Downloading ${editorPackage} ${wanted}`);
  const offline = "Or download the wheel elsewhere and name it: atelier editor install --file <wheel>";
  return downloadWheel({ folder, asked: `${editorPackage}==${wanted}`, offline });
}

async function remove(home: string): Promise<CommandResult> {
  const removed = await removeEditor(home);
  return { data: { removed }, text: removed ? "Removed the editor." : "No editor was installed." };
}

async function show(home: string): Promise<CommandResult> {
  const installed = await readInstalled(home);
  if (installed === null) return { data: null, text: "No editor is installed. Get it with: atelier editor install" };
  const { version, isTested, installedAt, folder, files } = installed;
  return {
    data: {
      package: editorPackage,
      version,
      is_tested: isTested,
      installed_at: installedAt,
      files: files.size,
      folder,
    },
    text: `${editorPackage} ${version}, ${files.size} files, installed ${installedAt.slice(0, 10)} in ${folder}`,
    warnings: isTested ? [] : [notTested(version)],
  };
}

const notTested = (version: string): string =>
  `Version ${version} is not one that we tested. It will probably work; ${newestTested} is the one to return to if it does not.`;
