// Emits dist (.js and .d.ts) for the packages that ship. Our own scripts never need it: they run the sources.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const order = ["contract", "engine", "sandbox", "sdk", "server", "cli"];
const only = process.argv.slice(2);
for (const name of order) {
  const folder = join(root, "packages", name);
  if (!existsSync(join(folder, "tsconfig.build.json")) || (only.length > 0 && !only.includes(name))) continue;
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  const { status } = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", join(folder, "tsconfig.build.json")],
    {
      stdio: "inherit",
    },
  );
  if (status !== 0) process.exit(1);
  process.stdout.write(`built ${name}\n`);
}
