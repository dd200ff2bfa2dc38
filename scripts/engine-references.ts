// The table of docs/ENGINE.md that says which classes were compared with the application, in how many cases, and by how much the
// engine differs. The comparing test reads the same files.
import { readFileSync } from "node:fs";

const folder = new URL("../packages/engine/references/", import.meta.url);
const groups = ["scaling", "colours", "arranging", "latents", "sounds-and-values", "lists"];

interface Difference {
  readonly largest: number;
  readonly reason: string;
}

interface Compared {
  readonly versions: Readonly<Record<string, string>>;
  readonly cases: readonly { readonly class: string; readonly floats?: boolean }[];
}

// What the newer version does differently, and what only it does.
interface Newer extends Compared {
  readonly only: Compared["cases"];
  readonly graphs: readonly unknown[];
}

const read = <Content>(name: string): Content => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

export function engineReferencesTable(): string {
  const files = groups.map((group) => read<Compared>(`${group}.json`));
  const known = read<Readonly<Record<string, Difference>>>("known-differences.json");
  const byClass = Map.groupBy(
    files.flatMap(({ cases }) => cases),
    (one) => one.class,
  );
  const isEqual = (name: string) => known[name] === undefined;
  const count = (name: string) => byClass.get(name)?.length ?? 0;
  const names = [...byClass.keys()].sort();
  const equal = names.filter(isEqual).map((name) => `\`${name}\` (${count(name)})`);
  const rows = names
    .filter((name) => !isEqual(name))
    .map((name) => {
      const near = byClass.get(name)?.filter((one) => one.floats).length ?? 0;
      const { largest = 0, reason = "" } = known[name] ?? {};
      return `| \`${name}\` | ${count(name) - near} | ${near} | ${largest} | ${reason} |`;
    });
  const list = (versions: Compared["versions"]) =>
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ");
  const newer = read<Newer>("application-0.30.json");
  const changed = [...new Set(newer.cases.map((one) => `\`${one.class}\``))].sort();
  return [
    `Profile 0.7: made with ${list(files[0]?.versions ?? {})}.`,
    `Profile 0.30: made with ${list(newer.versions)}. The same cases; ${newer.cases.length} of them have other values there (${changed.join(", ")}), ${newer.only.length} are for what only this version does, and ${newer.graphs.length} of the random graphs end otherwise.`,
    `Equal in every case under both, with the number of cases: ${equal.join(", ")}.`,
    ["| Class | Equal cases | Other cases | Largest difference | Why |", "|---|---|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}
