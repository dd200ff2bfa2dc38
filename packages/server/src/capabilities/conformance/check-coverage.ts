// Checks that the fixtures cover everything a definition says: each rule, each state, each figure used for charging. A
// part that no fixture reaches could say anything.
import { isDeepStrictEqual } from "node:util";
import {
  composeStream,
  isEventStream,
  type ModelDefinition,
  matchRule,
  readHere,
  valueAt,
  valueIn,
} from "../providers/index.ts";
import { locationProblems } from "./check-locations.ts";
import type { ModelFixtures } from "./fixtures.ts";
import type { ScriptedAnswer } from "./scripted-provider.ts";

export function coverageProblems(
  model: ModelDefinition,
  { cases }: ModelFixtures,
  answers: readonly ScriptedAnswer[],
): string[] {
  const read = answers.map((answer) => readHere.read(model, answer));
  const met = new Set(read.map((answer) => matchRule(model, answer)));
  const states = new Set(
    read.map(({ document }) => (model.poll ? String(valueAt(document, model.poll.state) ?? "").toLowerCase() : "")),
  );
  const words = (["pending", "succeeded", "failed", "refused", "cancelled"] as const).flatMap((kind) =>
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
    ...streamProblems(model, answers),
    ...figures.map(([name]) => `no case reports /usage/${name}`),
  ];
}

// Each step of a stream must make a difference in some case. Without it the body would be the same, so it could say anything.
function streamProblems({ stream }: ModelDefinition, answers: readonly ScriptedAnswer[]): string[] {
  if (stream === undefined) return [];
  const streamed = answers.filter(({ headers }) => isEventStream(headers["content-type"])).map(({ body }) => body);
  if (streamed.length === 0) return ["no case shows a stream, though there is /stream"];
  return stream.whole.flatMap((step, index) => {
    const others = { ...stream, whole: stream.whole.filter((each) => each !== step) };
    const isUsed = streamed.some(
      (body) => !isDeepStrictEqual(composeStream(stream, body).document, composeStream(others, body).document),
    );
    return isUsed ? [] : [`no case needs /stream/whole/${index}`];
  });
}
