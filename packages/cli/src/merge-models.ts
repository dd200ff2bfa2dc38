// `atelier models` is one name with two halves. For what is served (list, show <model>, schema, run, types) we ask a server over
// HTTP; definitions (check, put, remove, release, show <provider>, anything with --definitions) belong to the operator and go
// straight to the database. `list` falls back to the database if no address was named and no server answers.
import { existsSync } from "node:fs";
import type { CommandInput, CommandResult, ListedCommand } from "@atelier/server/commands";
import { verbsOf } from "./read-call.ts";
import { ClientProblem } from "./server/client-problem.ts";

export function mergeModels(client: ListedCommand, operators: ListedCommand): ListedCommand {
  const verbs = { client: verbsOf(client), operators: verbsOf(operators) };
  const isClients = (usage: string) => Object.hasOwn(verbs.client, usage.split(" ")[1] ?? "");
  return {
    ...client,
    usage: [
      ...client.usage,
      "models list --definitions",
      "models show <provider>",
      "models show <model> --definitions",
      ...operators.usage.filter((usage) => !isClients(usage)),
    ],
    examples: [...new Set([...client.examples, ...operators.examples])],
    options: { ...operators.options, ...client.options },
    words: { ...verbs.operators, ...verbs.client },
    load: async () => {
      const served = await client.load();
      return {
        async run(_listed, input) {
          const [verb = "", word = ""] = input.arguments.filter((each) => !each.startsWith("-"));
          const isDefinition = verb === "show" && word !== "" && !word.includes("/");
          const isOperators = Object.hasOwn(verbs.operators, verb) && !Object.hasOwn(verbs.client, verb);
          if (isOperators || isDefinition || input.arguments.includes("--definitions"))
            return runOperators(operators, input);
          try {
            return await served.run(client, input);
          } catch (error) {
            if (verb !== "list" || !isAlone(error, input)) throw error;
            input.say("No server is running; showing the definitions stored in the database.");
            return runOperators(operators, input);
          }
        },
      };
    },
  };
}

// A read must not create a database: a person in the wrong folder needs to know that there is none.
function isAlone(error: unknown, { arguments: words, env, file }: CommandInput): boolean {
  const has = (flag: string) => words.some((word) => word === flag || word.startsWith(`${flag}=`));
  const isNamed = has("--base-url") || env["ATELIER_URL"] || env["ATELIER_BASE_URL"];
  const isKept =
    has("--home") || env["DATABASE_URL"] || file["databaseUrl"] || existsSync(env["ATELIER_HOME"] || ".atelier");
  return error instanceof ClientProblem && error.code === "connection_failed" && !isNamed && Boolean(isKept);
}

async function runOperators(operators: ListedCommand, input: CommandInput): Promise<CommandResult> {
  const command = await operators.load();
  return command.run(operators, { ...input, arguments: input.arguments.filter((word) => word !== "--definitions") });
}
