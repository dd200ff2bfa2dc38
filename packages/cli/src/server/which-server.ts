// Decides which server is meant and with which key. The most specific source wins: flags, then the environment, then the data
// folder that a local server left in the working folder, then `atelier login`. A key only goes to the server it belongs to: the
// first key of a data folder to that folder's server, which proves itself, and the login's key to its address. Nothing secret
// goes to an address that was not named, because any program may listen on the usual port. If a named address is not the
// folder's server, we send no key: a self-hosted proxy needs none.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CommandInput } from "@atelier/server/commands";
import type { ClientCall } from "../read-call.ts";
import { ClientProblem } from "./client-problem.ts";
import { notRunning, proofOf, readServerNote, type ServerNote } from "./running-server.ts";
import { readSignedIn } from "./signed-in.ts";

type Env = CommandInput["env"];
type Flags = Pick<ClientCall, "text">;

interface WhichServer {
  readonly baseUrl: string;
  readonly key: string | undefined;
  // The data folder whose key we withheld, because another server answers there.
  readonly withheldFrom?: string;
  // Whether anything named the server: a flag, the environment, a data folder or a login.
  readonly isNamed: boolean;
}

const here = "http://127.0.0.1:8080";

// `given`: a secret for this call, an API key or an operator's token. Only keys can also come from elsewhere.
export async function whichServer(
  call: Flags,
  env: Env,
  given: string | undefined,
  workingFolder = ".",
): Promise<WhichServer> {
  const named = namedBaseUrl(call, env);
  const signedIn = readSignedIn(env);
  const folder = findFolder(call, env, workingFolder);
  if (named !== undefined) return toNamed(checkedUrl(named), folder, signedIn, given);
  if (folder.isThere) return toFolders(folder, given);
  if (signedIn !== null) return { baseUrl: checkedUrl(signedIn.baseUrl), key: given ?? signedIn.key, isNamed: true };
  if (given === undefined) return { baseUrl: here, key: undefined, isNamed: false };
  throw new ClientProblem("usage", "usage", "No server address was given, so the key was not sent.", {
    hint: `set the address: ATELIER_URL=${here}     or run this in the folder that contains the server's .atelier`,
  });
}

export const givenKey = (call: Flags, env: Env): string | undefined =>
  call.text("key") ?? (env["ATELIER_API_KEY"] || undefined);

interface Folder {
  readonly path: string;
  readonly isNamed: boolean;
  readonly isThere: boolean;
  readonly note: ServerNote | null;
  readonly firstKey: string | undefined;
}

const namedFolder = (call: Flags, env: Env): string | undefined =>
  call.text("home") ?? (env["ATELIER_HOME"] || undefined);

export const folderPath = (call: Flags, env: Env, workingFolder = "."): string =>
  resolve(workingFolder, namedFolder(call, env) ?? ".atelier");

function findFolder(call: Flags, env: Env, workingFolder: string): Folder {
  const named = namedFolder(call, env);
  const path = folderPath(call, env, workingFolder);
  const [note, key] = [readServerNote(path), firstKey(path)];
  const isThere = named !== undefined || note !== null || key !== undefined;
  return { path, isNamed: named !== undefined, isThere, note, firstKey: key };
}

async function toNamed(
  baseUrl: string,
  folder: Folder,
  signedIn: ReturnType<typeof readSignedIn>,
  given: string | undefined,
): Promise<WhichServer> {
  if (given !== undefined) return { baseUrl, key: given, isNamed: true };
  const kept = signedIn?.baseUrl === baseUrl ? signedIn.key : undefined;
  if (folder.firstKey === undefined || !(folder.isNamed || isThisMachine(baseUrl)))
    return { baseUrl, key: kept, isNamed: true };
  const proof = folder.note === null ? "other" : await proofOf(baseUrl, folder.note);
  if (proof === "proven") return { baseUrl, key: folder.firstKey, isNamed: true };
  // Without a key, the request itself reports that the server does not answer.
  if (kept !== undefined || proof === "silent") return { baseUrl, key: kept, isNamed: true };
  return { baseUrl, key: undefined, withheldFrom: folder.path, isNamed: true };
}

async function toFolders(folder: Folder, given: string | undefined): Promise<WhichServer> {
  const { note, path } = folder;
  if (note === null || (await proofOf(note.url, note)) !== "proven") throw notRunning(path);
  return { baseUrl: checkedUrl(note.url), key: given ?? folder.firstKey, isNamed: true };
}

// ATELIER_BASE_URL is the server's public name, which works on its own machine too.
export const namedBaseUrl = (call: Flags, env: Env): string | undefined =>
  call.text("base-url") ?? (env["ATELIER_URL"] || env["ATELIER_BASE_URL"] || undefined);

// A local address needs no scheme. For any other we do not guess whether TLS is meant.
export function checkedUrl(text: string): string {
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const isAddress = URL.canParse(given) && /^https?:/i.test(given);
  if (!isAddress || (given !== text && !isThisMachine(given)))
    throw new ClientProblem("usage", "usage", `"${text}" is not a server address.`, {
      hint: isAddress ? `write https://${text}` : `for example --base-url ${here}`,
    });
  return given.replace(/\/+$/, "");
}

const isThisMachine = (url: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

function firstKey(home: string): string | undefined {
  try {
    return /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
