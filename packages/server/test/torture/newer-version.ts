// A newer version of this program, as an operator gets one: this checkout's sources in a separate folder, with the next
// version number and additional migrations of the kind allowed in an upgrade under load (they only expand, and running
// processes keep working).
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "../../../..");

export interface NewerVersion {
  readonly version: string;
  // The path of its `atelier`.
  readonly program: string;
  close(): void;
}

// A column with a default on tables that calls and jobs write all the time, a table, and an index that is built
// concurrently with the writes.
const migrations: readonly string[] = [
  `-- Notes of operators on jobs and calls.
alter table jobs add column operator_note text not null default '';
alter table calls add column operator_note text not null default '';
create table operator_notes (id uuid primary key, written_at timestamptz not null default now(), words text not null);
`,
  `-- no-transaction
create index concurrently if not exists jobs_with_notes on jobs (id) where operator_note <> '';
`,
];

export function newerVersion(): NewerVersion {
  const folder = mkdtempSync(join(tmpdir(), "atelier-newer-"));
  const isOwn = (path: string) => !["node_modules", "dist", ".git"].includes(basename(path));
  for (const name of ["packages", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isOwn });
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@atelier"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@atelier") symlinkSync(join(root, "node_modules", name), join(modules, name));
  const version = "99.0.0";
  for (const name of readdirSync(join(folder, "packages"))) {
    symlinkSync(join(folder, "packages", name), join(modules, "@atelier", name));
    const file = join(folder, "packages", name, "package.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), version }));
  }
  const directory = join(folder, "packages/server/migrations");
  const known = readdirSync(directory).filter((name) => name.endsWith(".sql")).length;
  for (const [index, text] of migrations.entries())
    writeFileSync(join(directory, `${String(known + 1 + index).padStart(4, "0")}_newer_${index + 1}.sql`), text);
  return {
    version,
    program: join(folder, "packages/cli/bin/atelier.mjs"),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
