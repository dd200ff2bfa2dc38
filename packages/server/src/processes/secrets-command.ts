// `atelier secrets`: the key ring. Rotation is announced five minutes before the new key signs, so that every process
// knows it by then; what the old key signed stays valid for as long as it may live.
import { adoptRing, allRingPurposes, isRingPurpose } from "../capabilities/secrets/index.ts";
import { systemClock } from "../foundation/clock.ts";
import { createLog } from "../foundation/log.ts";
import { openRing } from "./build-capabilities.ts";
import { type Command, type CommandResult, readCommand, UsageProblem } from "./command.ts";
import { withinProcess } from "./within-process.ts";

export const secretsCommand: Command = {
  name: "secrets",
  about: "Show and rotate the keys that sign and seal.",
  usage: "secrets list | secrets rotate [purpose] | secrets end <key id> | secrets adopt",
  examples: [
    "atelier secrets list",
    "atelier secrets rotate",
    "atelier secrets rotate signed-url",
    "atelier secrets adopt --yes",
  ],
  options: {
    now: { type: "boolean", about: "rotate: let the new key sign at once. Only with one server." },
    yes: { type: "boolean", about: "adopt: make this ring the one that all servers must hold." },
  },
  async run(input) {
    const { config, options, positionals } = readCommand(secretsCommand, input);
    const ring = await openRing({ config, clock: systemClock, log: createLog({ level: "warn" }) });
    const [verb, word] = positionals;
    if (verb === "list") return list(ring);
    if (verb === "rotate") {
      if (word !== undefined && !isRingPurpose(word))
        throw new UsageProblem([`There is no purpose "${word}". Purposes: ${allRingPurposes.join(", ")}`]);
      await ring.rotate(word ?? "all", options["now"] ? 0 : undefined);
      return {
        data: { rotated: word ?? "all" },
        text: options["now"] ? "Rotated; the new keys sign at once." : "Rotated; the new keys sign in 5 minutes.",
      };
    }
    if (verb === "end") {
      if (word === undefined) throw new UsageProblem(["Name the key by its id: atelier secrets list"]);
      await ring.end(word);
      return { data: { ended: word }, text: `Ended ${word}. Whatever it signed is refused from now on.` };
    }
    if (verb === "adopt") {
      if (!options["yes"])
        throw new UsageProblem(["What other rings signed or sealed will be lost. Say --yes to do it."]);
      return withinProcess(config, async ({ storage }) => {
        await adoptRing({ database: storage.database, ring, clock: systemClock });
        return { data: { adopted: ring.fingerprint() }, text: "This ring is now the one that all servers must hold." };
      });
    }
    throw new UsageProblem([`Say what to do: ${secretsCommand.usage}`]);
  },
};

function list(ring: Awaited<ReturnType<typeof openRing>>): CommandResult {
  const keys = ring.keys().map((key) => ({
    id: key.id,
    purpose: key.purpose,
    signs_from: key.signFrom,
    signs_until: key.signUntil,
    verifies_until: key.verifyUntil,
  }));
  const text = keys
    .map((key) => [key.id, key.purpose, key.signs_from.toISOString(), key.signs_until?.toISOString() ?? "-"].join("\t"))
    .join("\n");
  return { data: keys, text };
}
