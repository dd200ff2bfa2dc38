// `atelier operators`: who may use the admin side of this installation. For the operator of the machine.
import { type PersonId, parseId } from "../../foundation/ids.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { type Command, readCommand } from "./command.ts";
import { commandLine, withinProcess } from "./within-process.ts";

const shownMax = 1_000;

export const operatorsCommand: Command = {
  async run(listed, input) {
    const { config, verb, words } = readCommand(listed, input);
    const personId = verb === "list" ? null : requirePersonId(words[0] ?? "");
    return withinProcess(config, async ({ capabilities }) => {
      const { operators } = (await capabilities()).identity;
      if (personId !== null) {
        const { id, name } = await operators.set({ personId, role: verb === "add" ? "operator" : null }, commandLine);
        const text = verb === "add" ? `${name} is an operator.` : `${name} is no longer an operator.`;
        return { data: { id, name, is_operator: verb === "add" }, text };
      }
      const people = await operators.list({ after: null, count: shownMax, operatorsOnly: true });
      const rows = people.map(({ id, name, email, createdAt }) => [id, name, email, createdAt]);
      const empty = "There are no operators. Add one: atelier operators add <person id>";
      const data = people.map(({ id, name, email, createdAt }) => ({ id, name, email, created_at: createdAt }));
      return { data, text: { columns: ["id", "name", "e-mail", "created"], rows, empty } };
    });
  },
};

function requirePersonId(text: string): PersonId {
  const id = parseId<"person">(text);
  if (id === null) throw new UsageProblem(["Pass a person id; to list people: atelier workspace show <id>"]);
  return id;
}
