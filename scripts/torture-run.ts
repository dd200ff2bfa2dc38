// What the scripts of `npm run torture` share: how they read their options, print figures and report their end.
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

export const say = (line: string) => void process.stdout.write(`${line}\n`);

export const anySeed = Date.now() % 1_000_000;

// Numbers with their defaults; `others` are the options that the script reads itself.
export function readNumbers<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  others: ParseArgsOptionsConfig = {},
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[];
  const own = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  const { values } = parseArgs({ options: { ...others, ...own } });
  const numbers: Record<Name, number> = { ...defaults };
  for (const name of names) if (values[name] !== undefined) numbers[name] = Number(values[name]);
  if ("seed" in numbers) say(`seed ${numbers.seed}`);
  return numbers;
}

export function printFigures(figures: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(18)} ${Math.round(value)}`);
}

export function printFound(violations: readonly string[], troubles: readonly string[] = []): void {
  for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
  for (const what of troubles.slice(0, 50)) say(`TROUBLE ${what}`);
  const isWell = violations.length + troubles.length === 0;
  say(isWell ? "no violation" : `${violations.length} violations, ${troubles.length} troubles`);
}

// The exit code says whether anything was wrong.
export function endRun(violations: readonly string[], troubles: readonly string[] = []): never {
  printFound(violations, troubles);
  process.exit(violations.length + troubles.length === 0 ? 0 : 1);
}
