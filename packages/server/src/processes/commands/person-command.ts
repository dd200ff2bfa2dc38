// `atelier person`: exports or erases one person, on the machine itself. The audit records an erasure as made by the command line.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { erasePerson, exportPerson } from "../../capabilities/workspace-data/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import type { PersonId } from "../../foundation/ids.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { personHoldings } from "../person-holdings.ts";
import { type Command, type CommandResult, readCommand } from "./command.ts";
import { type CommandParts, commandLine, requirePersonId, withinProcess } from "./within-process.ts";

export const personCommand: Command = {
  async run(listed, input) {
    const { config, options, verb, words } = readCommand(listed, input);
    const personId = requirePersonId(words[0] ?? "");
    if (verb === "erase" && options["yes"] !== true)
      throw new UsageProblem([
        "This permanently removes their name, address, sessions, memberships and keys. Export them first: atelier person export. Confirm with --yes.",
      ]);
    const output = typeof options["output"] === "string" ? options["output"] : null;
    return withinProcess(config, (parts) =>
      verb === "erase" ? erase(parts, personId, options["keep-keys"] === true) : exportInto(parts, personId, output),
    );
  },
};

async function exportInto(
  { storage, capabilities }: CommandParts,
  personId: PersonId,
  output: string | null,
): Promise<CommandResult> {
  await capabilities();
  const { lists, cut } = await exportPerson({ database: storage.database, personHoldings }, personId);
  const data = { ...lists, cut };
  const json = JSON.stringify(data, null, 2);
  const warnings = cut.map((name) => `Only the newest 10,000 rows of ${name} are included.`);
  if (output === null) return { data, text: json, warnings };
  const target = resolve(output);
  await writeFile(target, `${json}\n`, { mode: 0o600, flag: "wx" }).catch((error: unknown) => {
    throw new UsageProblem([`${target} cannot be written: ${error instanceof Error ? error.message : String(error)}`]);
  });
  const counts = Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.length]));
  return { data: { file: target, counts }, text: [`✓ ${target}`, ...linesOf(counts)].join("\n"), warnings };
}

async function erase(
  { storage, capabilities }: CommandParts,
  personId: PersonId,
  keepKeys: boolean,
): Promise<CommandResult> {
  const { audit, identity } = await capabilities();
  const deps = { database: storage.database, clock: systemClock, audit, identity, personHoldings };
  const erased = await erasePerson(deps, { personId, keepKeys }, commandLine);
  return { data: { id: personId, erased }, text: ["✓ erased", ...linesOf(erased)].join("\n") };
}

function linesOf(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).map(([name, count]) => `  ${name.padEnd(24)} ${count}`);
}
