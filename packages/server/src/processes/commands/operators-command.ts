import { type Command, readCommand } from "./command.ts";
import { commandLine, requirePersonId, withinProcess } from "./within-process.ts";

const shownMax = 1_000;

export const operatorsCommand: Command = {
  async run(listed, input) {
    const { config, options, verb, words } = readCommand(listed, input);
    const role = verb === "remove" ? null : options["auditor"] === true ? "auditor" : "operator";
    const personId = verb === "list" ? null : requirePersonId(words[0] ?? "");
    return withinProcess(config, async ({ capabilities }) => {
      const { operators } = (await capabilities()).identity;
      if (personId !== null) {
        const { id, name } = await operators.set({ personId, role }, commandLine);
        const text = role === null ? `${name} is no longer an operator.` : `${name} is an ${role}.`;
        return { data: { id, name, is_operator: role === "operator", role }, text };
      }
      const people = await operators.list({ after: null, count: shownMax, operatorsOnly: true, withAuditors: true });
      const rows = people.map(({ id, name, email, role: held, createdAt }) => [id, name, email, held, createdAt]);
      const empty = "There are no operators. Add one: atelier operators add <person id>";
      const data = people.map((one) => {
        const { id, name, email, createdAt } = one;
        return { id, name, email, role: one.role, created_at: createdAt };
      });
      return { data, text: { columns: ["id", "name", "e-mail", "role", "created"], rows, empty } };
    });
  },
};
