// Checks the locations in a definition: pointers into the provider's answers, placeholders in its paths, names of
// figures. Each is compared with the fixtures' answers, and a mistyped one is reported with what is there instead.

import { pointerSegment } from "../../foundation/json-pointer.ts";
import { type AnswerLocation, isPresent, type ModelDefinition, type received, valueIn } from "../providers/index.ts";

type Read = ReturnType<typeof received>;

export function locationProblems(model: ModelDefinition, answers: readonly Read[]): string[] {
  return [
    ...gapProblems(model),
    ...pointerProblems(model, answers),
    ...figureProblems(model),
    ...(model.rules ?? []).flatMap(({ when }, index) => {
      const { pointer, equals, prefix, present } = when;
      const isBare = pointer !== undefined && [equals, prefix, when.in, present].every((each) => each === undefined);
      return isBare
        ? [`/rules/${index}/when has only a pointer, which matches nothing: add equals, prefix, in or present`]
        : [];
    }),
  ];
}

// Known names in braces are filled in; anything else in braces becomes empty.
function gapProblems({ submit, poll, ask }: ModelDefinition): string[] {
  const paths: readonly (readonly [string, string | undefined, string, boolean])[] = [
    ["/submit/path", submit.path, "reference", false],
    ["/poll/path", poll?.path, "handle", true],
    ["/poll/fetch/path", poll?.fetch?.path, "handle", true],
    ["/ask/path", ask?.path, "reference", true],
  ];
  return paths.flatMap(([at, path, gap, isNeeded]) => {
    if (path === undefined) return [];
    const unknown = [...path.matchAll(/\{([^}]*)\}/g)].filter(([, name]) => name !== gap).map(([whole]) => whole);
    if (unknown.length > 0)
      return [`${at} contains ${unknown.join(" and ")}, which is never filled in: only {${gap}} is known`];
    return isNeeded && !path.includes(`{${gap}}`)
      ? [`${at} must contain {${gap}}: otherwise every task would use the same URL`]
      : [];
  });
}

function pointerProblems({ poll, result }: ModelDefinition, answers: readonly Read[]): string[] {
  const good = answers.filter(({ status }) => status < 300);
  const isThere = (location: AnswerLocation) => good.some((answer) => isPresent(valueIn(answer, location)));
  const nowhere = (at: string, locations: readonly (AnswerLocation | undefined)[]) => {
    const given = locations.filter((location) => location !== undefined);
    if (given.length === 0 || good.length === 0 || given.some(isThere)) return [];
    const [first] = given;
    if (typeof first === "object") {
      const names = [...new Set(good.flatMap(({ headers }) => Object.keys(headers)))];
      return [`${at} names the header ${first.header}, which no answer has; available: ${listed(names)}`];
    }
    const leaves = [...new Set(good.flatMap(({ document }) => leavesOf(document)))];
    return [`${at} points at ${given.join(", ")}, where no answer has a value; available: ${listed(leaves)}`];
  };
  return [
    ...nowhere("/poll/handle", [poll?.handle]),
    ...nowhere("/poll/url", [poll?.url]),
    ...nowhere("/poll/fetch/url", [poll?.fetch?.url]),
    ...nowhere("/poll/state", [poll?.state]),
    ...nowhere("/result", result ?? []),
  ];
}

// A figure that the price uses must be read somewhere, and one that is read must be used by the price.
function figureProblems({ price, usage = {} }: ModelDefinition): string[] {
  const charged = new Set([...JSON.stringify(price).matchAll(/"reported":"([^"]*)"/g)].map(([, name = ""]) => name));
  const read = Object.keys(usage);
  return [
    ...[...charged]
      .filter((name) => !read.includes(name))
      .map(
        (name) =>
          `/price charges by the reported "${name}", which /usage does not name${read.length > 0 ? `: it names ${read.join(", ")}` : ""}`,
      ),
    ...read.filter((name) => !charged.has(name)).map((name) => `/usage/${name} is not used in /price`),
  ];
}

function listed(names: readonly string[]): string {
  return names.slice(0, 12).join(", ") || "nothing";
}

function leavesOf(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return isPresent(value) ? [at] : [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${at}/${pointerSegment(name)}`));
}
