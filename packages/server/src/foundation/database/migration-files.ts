// The migrations that ship with the program: files NNNN_name.sql, numbered from 0001 without gaps. Hashes are computed with
// normalised line endings, so a checkout on another system does not look like a change.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
  // For statements that PostgreSQL refuses inside a transaction, such as CREATE INDEX CONCURRENTLY. The file must be safe to
  // run again, because it is recorded only after it ran.
  readonly outsideTransaction: boolean;
}

// The message is written for the operator.
export class MigrationRefused extends Error {
  override readonly name = "MigrationRefused";
}

const filePattern = /^(\d{4})_([a-z0-9][a-z0-9_-]*)\.sql$/;

export async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith(".sql")).sort();
  const migrations = await Promise.all(files.map((file) => readMigration(directory, file)));
  for (const [index, migration] of migrations.entries()) {
    const wanted = index + 1;
    if (migration.number === wanted) continue;
    const twice = migrations[index - 1]?.number === migration.number;
    throw new MigrationRefused(
      twice
        ? `There are two migrations with number ${digits(migration.number)}.`
        : `Migration ${digits(wanted)} is missing: the next file is ${digits(migration.number)}_${migration.name}.sql.`,
    );
  }
  return migrations;
}

async function readMigration(directory: string, file: string): Promise<Migration> {
  const match = filePattern.exec(file);
  if (!match?.[1] || !match[2]) {
    throw new MigrationRefused(`The migration file ${file} is not named like 0001_what_it_does.sql.`);
  }
  const text = (await readFile(join(directory, file), "utf8")).replaceAll("\r\n", "\n");
  return {
    number: Number(match[1]),
    name: match[2],
    text,
    sha256: createHash("sha256").update(text).digest("hex"),
    outsideTransaction: /^-- no-transaction\s*$/m.test(text.split("\n", 1)[0] ?? ""),
  };
}

export function digits(number: number): string {
  return String(number).padStart(4, "0");
}

// Outside a transaction each statement is sent separately. In such files a statement ends with a semicolon at the end of a
// line.
export function splitStatements(text: string): string[] {
  return text
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, "").trim() !== "");
}
