// One name with two halves that share no verb: some ask a server over HTTP, others work on the server's own machine.
import type { ListedCommand } from "@atelier/server/commands";
import { verbsOf } from "./read-call.ts";

export function mergeVerbs(client: ListedCommand, operators: ListedCommand): ListedCommand {
  const ofOperators = verbsOf(operators);
  return {
    ...client,
    usage: [...client.usage, ...operators.usage],
    // What is installed first comes first.
    examples: [...operators.examples, ...client.examples],
    options: { ...operators.options, ...client.options },
    words: { ...verbsOf(client), ...ofOperators },
    load: async () => ({
      async run(_listed, input) {
        const verb = input.arguments.find((each) => !each.startsWith("-")) ?? "";
        const half = Object.hasOwn(ofOperators, verb) ? operators : client;
        return (await half.load()).run(half, input);
      },
    }),
  };
}
