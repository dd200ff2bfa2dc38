// Which server is meant and with which key, by what was said closest to the call: flags, then the environment, then the
// data folder that a server on this machine left in the working folder, then `atelier login`. A key goes to the server it
// belongs to: the first key of a data folder to this machine (or where the folder was named), the login's to its address.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandInput } from "@atelier/server/commands";
import { ClientProblem } from "./client-problem.ts";
import type { ClientCall } from "./read-call.ts";
import { readSignedIn } from "./signed-in.ts";

type Env = CommandInput["env"];
type Flags = Pick<ClientCall, "text">;

export interface WhichServer {
  readonly baseUrl: string;
  readonly key: string | undefined;
}

const here = "http://127.0.0.1:8080";

export function whichServer(call: Flags, env: Env): WhichServer {
  const folder = call.text("home") ?? (env["ATELIER_HOME"] || undefined);
  const first = firstKey(folder ?? ".atelier");
  const signedIn = readSignedIn(env);
  const named = namedBaseUrl(call, env);
  const baseUrl = checkedUrl(named ?? (first === undefined ? signedIn?.baseUrl : undefined) ?? here);
  const isOurs = folder !== undefined || isThisMachine(baseUrl);
  const kept = signedIn?.baseUrl === baseUrl ? signedIn.key : undefined;
  return { baseUrl, key: call.text("key") ?? (env["ATELIER_API_KEY"] || ((isOurs ? first : undefined) ?? kept)) };
}

// ATELIER_BASE_URL is what the server calls itself; on its own machine that serves as well.
export const namedBaseUrl = (call: Flags, env: Env): string | undefined =>
  call.text("base-url") ?? (env["ATELIER_URL"] || env["ATELIER_BASE_URL"] || undefined);

export function checkedUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new ClientProblem("usage", "usage", `"${text}" is no address of a server.`, {
      hint: `for example --base-url ${here}`,
    });
  return text.replace(/\/+$/, "");
}

const isThisMachine = (url: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

function firstKey(home: string): string | undefined {
  try {
    return /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
