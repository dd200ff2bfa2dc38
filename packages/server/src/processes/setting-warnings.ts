// Oddities in the settings that are not errors: variables that nothing reads, and a file with secrets that others can read.
// Reported at start and by doctor.
import { statSync } from "node:fs";
import { settingTable } from "../config.ts";
import { nearestWord } from "../foundation/settings.ts";
import type { CommandInput } from "./commands/command.ts";

export interface SettingWarning {
  readonly message: string;
  readonly mend: string;
}

// Read by the command line and by the build of the console, and passed between the processes of a server.
const otherVariables = [
  "ATELIER_URL",
  "ATELIER_API_KEY",
  "ATELIER_PUBLISHER_TOKEN",
  "ATELIER_WEBHOOK_SECRET",
  "ATELIER_PROCESS_OF",
  "ATELIER_CONSOLE_LANGUAGE",
];
// Credentials and their hosts; variables of the tests; and what Kubernetes puts into containers for a service called atelier.
const freeNames = /^ATELIER_(PROVIDER|TEST)_|_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_/;

const known = [...Object.values(settingTable).map(({ env }) => env), ...otherVariables];

export function unknownVariables(env: CommandInput["env"]): SettingWarning[] {
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith("ATELIER_") && value !== undefined && value !== "")
    .filter(([name]) => !known.includes(name) && !freeNames.test(name))
    .map(([name]) => ({
      message: `Unknown variable ${name}${nearestWord(name, known)}`,
      mend: "correct its name, or remove it; to list every setting: atelier config",
    }));
}

const configFile = "atelier.config.json";

export function openFile(file: CommandInput["file"], path: string = configFile): SettingWarning[] {
  const secrets = Object.entries(settingTable)
    .filter(([key, { secret }]) => secret && (file[key] ?? null) !== null)
    .map(([key]) => key);
  const mode = secrets.length === 0 || process.platform === "win32" ? undefined : modeOf(path);
  if (mode === undefined || (mode & 0o007) === 0) return [];
  return [
    {
      message: `${configFile} contains ${secrets.join(", ")}, and other users of this machine can read it (mode ${(mode & 0o777).toString(8).padStart(4, "0")}).`,
      mend: `chmod 600 ${configFile}, as the user that runs the server`,
    },
  ];
}

function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode;
  } catch {
    return undefined;
  }
}

export const settingWarnings = (input: Pick<CommandInput, "env" | "file">): readonly SettingWarning[] => [
  ...unknownVariables(input.env),
  ...openFile(input.file),
];
