// `atelier open`: opens the console in the browser, signed in. If no browser can be opened it prints the link instead; with
// --json it only ever prints it.
import { spawn } from "node:child_process";
import { type Command, type CommandInput, readCommand } from "./command.ts";
import { createLink, platformUrlOf, whoSignsIn } from "./sign-in-link.ts";
import { withinProcess } from "./within-process.ts";

export const openCommand: Command = {
  async run(listed, input) {
    const { config, words, options } = readCommand(listed, input);
    const made = await withinProcess(config, async ({ capabilities }) => {
      const built = await capabilities();
      const personId = await whoSignsIn(built, words[0] ?? "", null);
      return createLink(built, { personId, platformUrl: await platformUrlOf(config) });
    });
    const isOpened = !input.json && options["print"] !== true && (await openBrowser(made.data.link, input.env));
    if (isOpened) return { ...made, text: "Opened in your browser." };
    if (!input.json) input.say("Open this link in a browser. It works once, for 10 minutes.");
    return made;
  },
};

// The program that opens a URL here. Null if there is no screen.
export function browserCommand(env: CommandInput["env"], platform: string): readonly [string, ...string[]] | null {
  const chosen = env["BROWSER"];
  if (chosen !== undefined && chosen !== "") return [chosen];
  if (platform === "darwin") return ["open"];
  // Not `start`, which is a shell builtin and would parse the URL as a command line.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? ["xdg-open"] : null;
}

async function openBrowser(link: string, env: CommandInput["env"]): Promise<boolean> {
  const command = browserCommand(env, process.platform);
  if (command === null) return false;
  const [program, ...before] = command;
  return new Promise((resolve) => {
    const child = spawn(program, [...before, link], { stdio: "ignore", detached: true, env: { ...env } });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
