// Checks that the fixtures cover everything a definition says: each rule, each state, each figure used for charging. A
// part that no fixture reaches could say anything.
import { type ModelDefinition, matchRule, received, valueAt, valueIn } from "../providers/index.ts";
import { locationProblems } from "./check-locations.ts";
import type { ModelFixtures } from "./fixtures.ts";
import type { ScriptedAnswer } from "./scripted-provider.ts";

export function coverageProblems(
  model: ModelDefinition,
  { cases }: ModelFixtures,
  answers: readonly ScriptedAnswer[],
): string[] {
  const read = answers.map(({ status, headers, body }) => received(status, headers, body));
  const met = new Set(read.map((answer) => matchRule(model, answer)));
  const states = new Set(
    read.map(({ document }) => (model.poll ? String(valueAt(document, model.poll.state) ?? "").toLowerCase() : "")),
  );
  const words = (["pending", "succeeded", "failed", "refused"] as const).flatMap((kind) =>
    (model.poll?.[kind] ?? []).map((word) => ({ kind, word })),
  );
  const figures = Object.entries(model.usage ?? {}).filter(
    ([, location]) => !read.some((answer) => valueIn(answer, location) !== undefined),
  );
  const locations = locationProblems(model, read);
  // A pointer that leads nowhere makes everything that depends on it uncovered too.
  if (locations.length > 0) return locations;
  return [
    ...(cases.some(({ means }) => means === "completed") ? [] : ["no case completes"]),
    ...(model.rules ?? []).flatMap((rule, index) => (met.has(rule) ? [] : [`no case matches /rules/${index}`])),
    ...words
      .filter(({ word }) => !states.has(word.toLowerCase()))
      .map(({ kind, word }) => `no case shows the state "${word}" of /poll/${kind}`),
    ...figures.map(([name]) => `no case reports /usage/${name}`),
  ];
}
