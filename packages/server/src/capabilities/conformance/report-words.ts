// What a report says to the author of a definition, with the lines of the file that its findings are about.
import type { JsonFile } from "../../foundation/json/json-file.ts";
import { holdBound, priceChecks, priceOf, priceWords, validatePrice } from "../prices/index.ts";
import { checkDefinition } from "../providers/index.ts";
import { dollars } from "./check-prices.ts";
import type { ConformanceReport, Finding } from "./check-provider.ts";
import { isInFixtures, pointerOf } from "./finding-pointers.ts";

// Without fixtures only the format can be checked, and that is a finding too.
export function withoutFixtures(definition: unknown, fixturesPath: string): ConformanceReport {
  const checked = checkDefinition(priceChecks, definition);
  const problems = checked.ok
    ? [`There are no fixtures at ${fixturesPath}, so only the format was checked.`]
    : checked.problems;
  return {
    provider: checked.ok ? checked.definition.provider : null,
    models: 0,
    cases: 0,
    findings: problems.map((problem) => ({ model: null, case: null, problem })),
  };
}

export function reportLines({ provider, models, cases, findings }: ConformanceReport, file: JsonFile): string[] {
  const found = findings.length === 0 ? "no findings" : counted(findings.length, "finding");
  return [
    `${provider ?? "The definition"}: ${counted(models, "model")}, ${counted(cases, "case")}, ${found}.`,
    ...findings.map((finding) => {
      const line = lineOf(finding, file);
      const parts = [finding.model, finding.case, finding.problem].filter((part) => part !== null);
      return `${line === null ? "" : `line ${line} · `}${parts.join(" · ")}`;
    }),
  ];
}

// How we understood the price, for its author to compare with the provider's list.
export function priceLines(value: unknown): string[] {
  const checked = checkDefinition(priceChecks, value);
  if (!checked.ok) return [];
  return checked.definition.models.flatMap(({ model, price, example }) => {
    const validated = validatePrice(price);
    if (!validated.ok) return [];
    const { definition } = validated;
    const held = dollars(holdBound(priceOf(definition, 1), example ?? {}));
    return [`${model} in USD: ${priceWords(definition, 1)}; at most ${held} for its example.`];
  });
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

// Null for a finding about a case, or in the fixtures: its pointer is not one of this file.
function lineOf(finding: Finding, file: JsonFile): number | null {
  const pointer = finding.case !== null || isInFixtures(finding) ? null : pointerOf(finding, file.value);
  return pointer === null ? null : file.lineOf(pointer);
}
