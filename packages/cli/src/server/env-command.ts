// `atelier env` without a verb: prints the address and the key of this folder's server as lines for the shell's eval. We ignore ATELIER_URL and
// ATELIER_API_KEY from the environment: they may belong to another server.
import type { Command, CommandInput } from "@atelier/server/commands";
import { type ClientCall, readCall, wrongCall } from "../read-call.ts";
import { environmentsCommand } from "./environments-command.ts";
import { notRunning } from "./running-server.ts";
import { folderPath, whichServer } from "./which-server.ts";

export const envCommand: Command = {
  async run(listed, input) {
    const call = readCall(listed, input.arguments);
    if (call.verb !== "") return environmentsCommand.run(listed, input);
    const write = chooseWriter(call);
    const { baseUrl, key } = await serverHere(call, input.env);
    const data = { ATELIER_URL: baseUrl, ATELIER_API_KEY: key ?? null };
    return {
      data,
      text: Object.entries(data)
        .map(([name, value]) => write(name, value))
        .join("\n"),
    };
  },
};

async function serverHere(call: ClientCall, env: CommandInput["env"]) {
  const { ATELIER_URL: _url, ATELIER_BASE_URL: _baseUrl, ATELIER_API_KEY: _key, ...rest } = env;
  const found = await whichServer(call, rest, undefined);
  // No address was named and no server found. We do not guess: any program may listen on the usual port.
  if (!found.isNamed) throw notRunning(folderPath(call, rest));
  return found;
}

type Writer = (name: string, value: string | null) => string;

const writers: Readonly<Record<string, Writer>> = {
  sh: (name, value) => (value === null ? `unset ${name}` : `export ${name}='${value.replaceAll("'", "'\\''")}'`),
  fish: (name, value) =>
    value === null ? `set -e ${name}` : `set -gx ${name} '${value.replaceAll(/['\\]/g, "\\$&")}'`,
  powershell: (name, value) =>
    value === null
      ? `Remove-Item Env:${name} -ErrorAction SilentlyContinue`
      : `$Env:${name} = '${value.replaceAll("'", "''")}'`,
};

function chooseWriter(call: ClientCall): Writer {
  const shell = call.text("shell") ?? "sh";
  const writer = Object.hasOwn(writers, shell) ? writers[shell] : undefined;
  if (writer === undefined)
    throw wrongCall("env", [`--shell must be one of ${Object.keys(writers).join(", ")}, not "${shell}".`]);
  return writer;
}
