// The frame of every client command: parse the call, find the server and the key, run, and report failures in terms of the
// command line.
import { Atelier, AtelierError } from "@atelier/sdk";
import type { Command, CommandInput, CommandResult, ListedCommand } from "@atelier/server/commands";
import { type ClientCall, readCall, wrongCall } from "../read-call.ts";
import { ClientProblem } from "./client-problem.ts";
import { explainError } from "./explain-error.ts";
import { plainFetch } from "./plain-fetch.ts";
import { givenKey, whichServer } from "./which-server.ts";

export interface Asked {
  readonly call: ClientCall;
  readonly input: CommandInput;
  readonly atelier: Atelier;
  readonly baseUrl: string;
}

type Run = (asked: Asked) => Promise<CommandResult>;
// What the command does, or what each of its subcommands does.
type Runs = Run | Readonly<Record<string, Run>>;

// Subcommands in `ofOperator` use the operator's token instead of a key.
export const overHttp = (runs: Runs, ofOperator: Runs = {}): Command => ({
  run: (listed, input) => talk(listed, input, runs, ofOperator),
});
export const asOperator = (runs: Runs): Command => overHttp({}, runs);

async function talk(listed: ListedCommand, input: CommandInput, runs: Runs, ofOperator: Runs): Promise<CommandResult> {
  const call = readCall(listed, input.arguments);
  const operatorRun = runFor(call, ofOperator);
  const isAdmin = operatorRun !== undefined;
  const run = operatorRun ?? runFor(call, runs);
  if (run === undefined) throw new Error(`${listed.name} ${call.verb} does nothing.`);
  if (input.json && call.has("jsonl")) throw wrongCall(listed.name, ["--json and --jsonl cannot be used together."]);
  const given = isAdmin ? readAdminToken(call, input.env) : givenKey(call, input.env);
  const { baseUrl, key: ownKey, withheldFrom } = await whichServer(call, input.env, given);
  const key = isAdmin ? given : ownKey;
  const command = `${listed.name} ${call.verb}`.trimEnd();
  const { atelier, problemOf } = connection({ baseUrl, key, isAdmin, topic: call.words[0], command, withheldFrom });
  const endSignals = leaveBySignal(input);
  try {
    return await run({ call, input, atelier, baseUrl });
  } catch (error) {
    throw problemOf(error);
  } finally {
    endSignals();
  }
}

const runFor = ({ verb }: ClientCall, runs: Runs): Run | undefined => (typeof runs === "function" ? runs : runs[verb]);

interface ConnectionOptions {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly isAdmin: boolean;
  readonly topic?: string | undefined;
  readonly command?: string | undefined;
  readonly withheldFrom?: string | undefined;
}

// Every answer of an Atelier server has a request id. An answer without one, unless something in between failed, comes from
// another program, and we do not trust what it says.
export function connection({ baseUrl, key, isAdmin, topic, command, withheldFrom }: ConnectionOptions) {
  const { origin } = new URL(baseUrl);
  let isStranger = false;
  const watchedFetch: typeof fetch = async (input, init) => {
    const answer = await plainFetch(input, init);
    const isServers = typeof input === "string" && input.startsWith(`${origin}/`);
    if (!isServers || answer.status >= 500 || answer.headers.has("x-service-request-id")) return answer;
    isStranger = true;
    await answer.body?.cancel();
    throw new Error("This is not an Atelier server.");
  };
  return {
    atelier: new Atelier({ baseUrl, apiKey: key ?? "", maxRetries: 1, fetch: watchedFetch }),
    // Explains a failure in terms of the command line.
    problemOf(error: unknown): unknown {
      if (isStranger) return strangerProblem(baseUrl);
      if (!(error instanceof AtelierError)) return error;
      return explainError(error, { baseUrl, hasKey: key !== undefined, isAdmin, topic, command, withheldFrom });
    },
  };
}

const strangerProblem = (baseUrl: string): ClientProblem =>
  new ClientProblem("unexpected", "unexpected_answer", `The server at ${baseUrl} is not an Atelier server.`, {
    hint: "set the server's address: --base-url, ATELIER_URL   (or start one on another port: atelier serve --port 9000)",
  });

// Removes half-written files before exiting. A command with its own Ctrl-C handling keeps it.
function leaveBySignal(input: CommandInput): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const leave = (signal: NodeJS.Signals, number: number) => {
    if (process.listenerCount(signal) === 1) input.exit(128 + number);
  };
  for (const signal of signals) process.on(signal, leave);
  return () => {
    for (const signal of signals) process.off(signal, leave);
  };
}

// The contract describes the body; we do not check it here.
export async function readAnswer<T>(response: Promise<Response>): Promise<T> {
  return JSON.parse(await (await response).text());
}

// Every entry of a list with cursors; fetches a page only when it is needed.
export async function* walkPages<Entry>(
  atelier: Atelier,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): AsyncGenerator<Entry, undefined> {
  for (let cursor: string | undefined; ; ) {
    const page: ListPage<Entry> = await readAnswer(atelier.request(path, { query: { ...query, cursor } }));
    yield* page.data;
    cursor = page.next_cursor;
    if (!page.has_more || cursor === undefined) return;
  }
}

interface ListPage<Entry> {
  readonly data: readonly Entry[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

export function readAdminToken(call: ClientCall, env: CommandInput["env"]): string | undefined {
  return call.text("admin-token") ?? (env["ATELIER_ADMIN_TOKEN"] || undefined);
}
