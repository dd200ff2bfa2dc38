// The frame of every client command: read the call, find the server and the key, run, and say what went wrong in the
// words of the command line. The key is never taken from the command line's history if it can be helped: the
// environment first, then the file that the first start left in the data folder.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Atelier, AtelierError } from "@atelier/sdk";
import type { Command, CommandInput, CommandResult, ListedCommand } from "@atelier/server/commands";
import { ClientProblem } from "./client-problem.ts";
import { problemOfError } from "./problem-of-error.ts";
import { type ClientCall, readCall } from "./read-call.ts";

export interface Asked {
  readonly call: ClientCall;
  readonly input: CommandInput;
  readonly atelier: Atelier;
  readonly baseUrl: string;
}

type Run = (asked: Asked) => Promise<CommandResult>;

export const overHttp = (run: Run): Command => framed(run, false);
// With the operator's token instead of a key.
export const asOperator = (run: Run): Command => framed(run, true);

function framed(run: Run, isAdmin: boolean): Command {
  return { run: (listed, input) => talk(listed, input, isAdmin, run) };
}

export async function talk(
  listed: ListedCommand,
  input: CommandInput,
  isAdmin: boolean,
  run: Run,
): Promise<CommandResult> {
  const call = readCall(listed, input.arguments);
  const baseUrl = baseUrlOf(call, input.env);
  const key = isAdmin ? adminTokenOf(call, input.env) : keyOf(call, input.env);
  const atelier = new Atelier({ baseUrl, apiKey: key ?? "", maxRetries: 1 });
  try {
    return await run({ call, input, atelier, baseUrl });
  } catch (error) {
    if (error instanceof AtelierError) throw problemOfError(error, { baseUrl, hasKey: key !== undefined, isAdmin });
    throw error;
  }
}

// What an answer holds is the contract's business.
export async function answerOf<T>(response: Promise<Response>): Promise<T> {
  return JSON.parse(await (await response).text());
}

type Env = CommandInput["env"];

// ATELIER_BASE_URL is what the server calls itself; on its own machine that serves as well.
export const namedBaseUrl = (call: Pick<ClientCall, "text">, env: Env): string | undefined =>
  call.text("base-url") ?? (env["ATELIER_URL"] || env["ATELIER_BASE_URL"] || undefined);

function baseUrlOf(call: ClientCall, env: Env): string {
  const baseUrl = namedBaseUrl(call, env) ?? "http://127.0.0.1:8080";
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl))
    throw new ClientProblem("usage", "usage", `"${baseUrl}" is no address of a server.`, {
      hint: "for example --base-url http://127.0.0.1:8080",
    });
  return baseUrl.replace(/\/+$/, "");
}

function keyOf(call: ClientCall, env: Env): string | undefined {
  const home = call.text("home") ?? env["ATELIER_HOME"] ?? ".atelier";
  return call.text("key") ?? (env["ATELIER_API_KEY"] || firstKey(home));
}

function adminTokenOf(call: ClientCall, env: Env): string | undefined {
  return call.text("admin-token") ?? (env["ATELIER_ADMIN_TOKEN"] || undefined);
}

function firstKey(home: string): string | undefined {
  try {
    return /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
