// `atelier workspace`: lists the workspaces of an installation, moves one to another server, or deletes one. Works directly in the
// database on the machine itself. The audit records changes as made by the command line.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createCredits } from "../../capabilities/calls/index.ts";
import { deletedName } from "../../capabilities/identity/index.ts";
import { creditsText } from "../../capabilities/prices/index.ts";
import { countPublishersOf } from "../../capabilities/registry/shared-sql.ts";
import { countOpen, deleteWorkspace } from "../../capabilities/workspace-data/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { workspaceHoldings as holdings } from "../workspace-holdings.ts";
import { type Command, type CommandResult, readCommand } from "./command.ts";
import { type CommandParts, commandLine, withinAnyHome, withinProcess } from "./within-process.ts";
import { exportInto, importFrom, readImport, showSigner } from "./workspace-folder.ts";

export const workspaceCommand: Command = {
  async run(listed, input) {
    const { config, options, verb, words } = readCommand(listed, input);
    if (verb === "signer") return withinProcess(config, showSigner);
    if (verb === "import") {
      const wanted = readImport(words[0] ?? "", options);
      return withinAnyHome(config, (parts) => importFrom(config, parts, wanted));
    }
    const id = verb === "list" ? null : readId(words[0] ?? "");
    const target = verb === "export" ? readTarget(words[1] ?? "") : null;
    const steps = verb === "move" ? readSteps(options) : { to: null, target: null, isDone: false };
    if (verb === "delete" && options["yes"] !== true)
      throw new UsageProblem([
        "This permanently deletes its people, keys, jobs and files. Export them first: atelier workspace export. Confirm with --yes.",
      ]);
    return withinProcess(config, async (parts) => {
      if (id === null) return list(parts);
      if (verb === "move") return move({ config, parts, id, steps, say: (line) => input.say(line) });
      if (target !== null) return exportInto(config, parts, id, target);
      return verb === "delete" ? remove(parts, id) : show(parts, id);
    });
  },
};

function readId(text: string): WorkspaceId {
  const id = parseId<"workspace">(text);
  if (id === null) throw new UsageProblem(["Pass a workspace id; to list workspaces: atelier workspace list"]);
  return id;
}

function readTarget(folder: string): string {
  const target = resolve(folder);
  if (existsSync(target)) throw new UsageProblem([`${target} already exists. Pass a new folder.`]);
  return target;
}

interface MoveSteps {
  // Null: it is not begun or changed.
  readonly to: string | null;
  // Where to export when nothing runs any more.
  readonly target: string | null;
  readonly isDone: boolean;
}

function readSteps(options: Readonly<Record<string, unknown>>): MoveSteps {
  const { to, export: folder, done, undo } = options;
  const given = [to !== undefined, done === true, undo === true].filter(Boolean).length;
  if (given !== 1) throw new UsageProblem(["Give one of --to <address>, --done and --undo."]);
  if (typeof to === "string" && !/^https?:$/.test(URL.parse(to)?.protocol ?? ""))
    throw new UsageProblem([`--to is the other server's address, such as https://other.example, not "${to}".`]);
  if (folder !== undefined && to === undefined) throw new UsageProblem(["--export goes with --to."]);
  return {
    to: typeof to === "string" ? to.replace(/\/+$/, "") : null,
    target: typeof folder === "string" ? readTarget(folder) : null,
    isDone: done === true,
  };
}

const idleEveryMs = 2_000;

async function wait(running: () => Promise<readonly string[]>): Promise<readonly string[]> {
  await systemClock.sleep(idleEveryMs * 2);
  return running();
}

// The steps of docs/MOVING.md. A running server hears of each within two seconds.
async function move(given: {
  readonly config: Config;
  readonly parts: CommandParts;
  readonly id: WorkspaceId;
  readonly steps: MoveSteps;
  say(line: string): void;
}): Promise<CommandResult> {
  const { config, parts, id, steps, say } = given;
  const { moves, identity, audit } = await parts.capabilities();
  await identity.workspaces.get(id);
  const open = () => countOpen(parts.storage.database, holdings, id);
  const running = async () =>
    Object.entries(await open())
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}`);
  const by = { actor: commandLine.actor };
  if (steps.to !== null) {
    await moves.put(id, { movedTo: steps.to, isDone: false }, by);
    if (steps.target === null) {
      const stillOpen = await running();
      const left = stillOpen.length === 0 ? "Nothing runs any more." : `Still running: ${stillOpen.join(", ")}.`;
      const begun = `${id} takes no new work here. ${left}\nExport it when nothing runs: atelier workspace export ${id} <new folder>`;
      return { data: { id, state: "moving", moved_to: steps.to, running: stillOpen }, text: begun };
    }
    // Running servers take a moment to hear of it; what they took until then is waited for as well.
    for (let left = await wait(running); left.length > 0; left = await wait(running)) {
      const staying = left.filter((each) => each.endsWith(" deployment(s)"));
      if (staying.length === left.length)
        throw new UsageProblem([`${staying.join(", ")} of it never end by themselves. Remove them, then begin again.`]);
      say(`Waiting for ${left.join(", ")} …`);
    }
    const exported = await exportInto(config, parts, id, steps.target);
    const next = `When it is complete at ${steps.to}: atelier workspace move ${id} --done\nTo keep it here after all: atelier workspace move ${id} --undo`;
    return { ...exported, text: `${exported.text}\n${next}` };
  }
  const known = moves.of(id);
  if (!steps.isDone) {
    await moves.undo(id, by);
    return { data: { id, state: "here" }, text: `${id} stays here, and takes work again.` };
  }
  if (known === null) throw new UsageProblem([`Begin first: atelier workspace move ${id} --to <address>`]);
  const unended = await running();
  if (unended.length > 0)
    throw new UsageProblem([`${unended.join(", ")} still run here. Wait, then export once more.`]);
  await moves.put(id, { movedTo: known.movedTo, isDone: true }, by);
  const { available } = await createCredits({ database: parts.storage.database, audit }).wallet(id);
  const unspent = `Its ${creditsText(available)} credits stay here, where they cannot be spent. If the other server granted them, withdraw them: atelier credits withdraw`;
  const ended = [
    `${id} moved to ${known.movedTo}. From now on this server only says where it is.`,
    ...(available > 0n ? [unspent] : []),
  ].join("\n");
  return { data: { id, state: "moved", moved_to: known.movedTo }, text: ended };
}

async function list({ capabilities }: CommandParts): Promise<CommandResult> {
  const { identity } = await capabilities();
  const data = [];
  for (let after: WorkspaceId | null = null; ; ) {
    const page = await identity.workspaces.list({ after, count: 100 });
    data.push(...page.map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt })));
    const last = page.at(-1);
    if (page.length < 100 || last === undefined) break;
    after = last.id;
  }
  const rows = data.map(({ id, name, created_at }) => [id, name === deletedName ? null : name, created_at]);
  return { data, text: { columns: ["id", "name", "created"], rows } };
}

async function show({ capabilities }: CommandParts, id: WorkspaceId): Promise<CommandResult> {
  const { identity } = await capabilities();
  const workspace = await identity.workspaces.get(id);
  const keys = await identity.keys.list(id);
  const live = keys.filter((key) => key.revokedAt === null).length;
  const members = (await identity.members.list(id)).map(({ person, role }) => ({
    person_id: person.id,
    name: person.name,
    email: person.email,
    role,
  }));
  const data = {
    id,
    name: workspace.name,
    created_at: workspace.createdAt,
    keys: keys.length,
    live_keys: live,
    members,
  };
  const lines = [
    `workspace  ${id}`,
    `name       ${workspace.name}`,
    `created    ${workspace.createdAt.toISOString()}`,
    `keys       ${live} of ${keys.length} active`,
    `credits    atelier credits show --workspace ${id}`,
    ...members.map((each) => `${each.role.padEnd(9)}  ${each.person_id}  ${each.name}  ${each.email ?? ""}`.trimEnd()),
  ];
  return { data, text: lines.join("\n") };
}

async function remove({ storage, capabilities }: CommandParts, id: WorkspaceId): Promise<CommandResult> {
  const { audit } = await capabilities();
  const { database } = storage;
  const publishers = await countPublishersOf(database, id);
  const { withdrawn, counts } = await deleteWorkspace(
    { database, clock: systemClock, audit, holdings },
    id,
    commandLine.actor,
  );
  const { people = 0, keys = 0, jobs = 0, assets = 0 } = counts;
  const text = [
    `Deleted ${id}: ${people} people, ${keys} key(s), ${jobs} job(s), ${assets} file(s).`,
    `Withdrawn: ${creditsText(withdrawn)} credits. The journal keeps its entries under the workspace id.`,
    "Running servers reject its keys within 5 seconds and delete its jobs and files within minutes.",
  ].join("\n");
  const warnings =
    publishers > 0 ? [`${publishers} registry publisher(s) were kept, because others use their nodes.`] : [];
  return { data: { id, ...counts, withdrawn: creditsText(withdrawn), publishers }, text, warnings };
}
