// `atelier secrets`: the key ring. A rotation is announced five minutes before the new key signs, so that every process knows
// it by then. What the old key signed stays valid for its full lifetime.
import { writeFile } from "node:fs/promises";
import { adoptRing, allRingPurposes, isRingPurpose, newRingText, openRing } from "../../capabilities/secrets/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import { requireOwnHome } from "../../foundation/home/home-owner.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { type Command, type CommandResult, readCommand } from "./command.ts";
import { withinProcess } from "./within-process.ts";

export const secretsCommand: Command = {
  async run(listed, input) {
    const { config, options, verb, words } = readCommand(listed, input);
    if (verb === "new") return makeRing(options["out"]);
    requireOwnHome(config.home);
    const ring = await openRing(config, systemClock);
    const [word] = words;
    if (verb === "list") return list(ring);
    if (verb === "rotate") return rotate(ring, word, options["now"] === true);
    if (verb === "end") {
      await ring.end(word ?? "");
      return { data: { ended: word }, text: `Ended ${word}. Signatures made with it are no longer accepted.` };
    }
    if (!options["yes"])
      throw new UsageProblem(["Everything signed or encrypted with other key rings will be lost. Confirm with --yes."]);
    return withinProcess(config, async ({ storage }) => {
      await adoptRing({ database: storage.database, ring, clock: systemClock });
      return { data: { adopted: ring.fingerprint() }, text: "All servers must use this key ring from now on." };
    });
  },
};

// For key rings that no server can write. A file is created closed to other users, as servers require; a shell redirect would
// be open to all. Without a file, the ring is not stored anywhere here.
async function makeRing(out: unknown): Promise<CommandResult> {
  const text = newRingText(systemClock.now());
  if (typeof out !== "string") return { data: JSON.parse(text), text: text.trimEnd() };
  try {
    await writeFile(out, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "unknown reason";
    throw new UsageProblem([
      code === "EEXIST"
        ? `${out} already exists and may be in use. Nothing was changed.`
        : `Cannot write ${out} (${code}).`,
    ]);
  }
  return { data: { file: out }, text: `Created a new key ring in ${out}, readable only by you.` };
}

type Ring = Awaited<ReturnType<typeof openRing>>;

async function rotate(ring: Ring, purpose: string | undefined, now: boolean): Promise<CommandResult> {
  if (purpose !== undefined && !isRingPurpose(purpose))
    throw new UsageProblem([`Unknown purpose "${purpose}". Purposes: ${allRingPurposes.join(", ")}`]);
  await ring.rotate(purpose ?? "all", now ? 0 : undefined);
  return {
    data: { rotated: purpose ?? "all" },
    text: now ? "Rotated; the new keys sign at once." : "Rotated; the new keys sign in 5 minutes.",
  };
}

function list(ring: Ring): CommandResult {
  const keys = ring.keys().map((key) => ({
    id: key.id,
    purpose: key.purpose,
    signs_from: key.signFrom,
    signs_until: key.signUntil,
    verifies_until: key.verifyUntil,
  }));
  const rows = keys.map((key) => [key.id, key.purpose, key.signs_from, key.signs_until, key.verifies_until]);
  return { data: keys, text: { columns: ["id", "purpose", "signs from", "signs until", "counts until"], rows } };
}
