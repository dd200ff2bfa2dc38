// The frame of every client command: read the call, find the server and the key, run, and say what went wrong in the
// words of the command line.
import { Atelier, AtelierError } from "@atelier/sdk";
import type { Command, CommandInput, CommandResult, ListedCommand } from "@atelier/server/commands";
import { plainFetch } from "./plain-fetch.ts";
import { problemOfError } from "./problem-of-error.ts";
import { type ClientCall, readCall } from "./read-call.ts";
import { whichServer } from "./which-server.ts";

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
  const { baseUrl, key: ownKey } = whichServer(call, input.env);
  const key = isAdmin ? adminTokenOf(call, input.env) : ownKey;
  const atelier = new Atelier({ baseUrl, apiKey: key ?? "", maxRetries: 1, fetch: plainFetch });
  try {
    return await run({ call, input, atelier, baseUrl });
  } catch (error) {
    if (error instanceof AtelierError)
      throw problemOfError(error, { baseUrl, hasKey: key !== undefined, isAdmin, topic: call.words[0] });
    throw error;
  }
}

// What an answer holds is the contract's business.
export async function answerOf<T>(response: Promise<Response>): Promise<T> {
  return JSON.parse(await (await response).text());
}

function adminTokenOf(call: ClientCall, env: CommandInput["env"]): string | undefined {
  return call.text("admin-token") ?? (env["ATELIER_ADMIN_TOKEN"] || undefined);
}
