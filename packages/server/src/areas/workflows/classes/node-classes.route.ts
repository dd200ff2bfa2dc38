// The node-class routes of v2: they translate, and choose one of the prepared answers.
import { limits, operations } from "@atelier/contract";
import { type Route, route } from "../../../foundation/http/area.ts";
import { QueryReader } from "../../../foundation/http/page-query.ts";
import { type AnswerChooser, answerChooser } from "../../../foundation/http/prepared-answers.ts";
import type { WorkflowCaller } from "../surface.ts";
import { type ClassAnswersDeps, type ClassFormat, createClassAnswers } from "./class-answers.ts";

type ClassRoute = Route<WorkflowCaller>;
type ClassAnswers = ReturnType<typeof createClassAnswers>;

export function nodeClassRoutes(deps: ClassAnswersDeps): readonly ClassRoute[] {
  const answers = createClassAnswers(deps);
  const choose = answerChooser();
  return [listNodeClassesRoute(answers, choose), getNodeClassRoute(answers, choose)];
}

export function listNodeClassesRoute(answers: ClassAnswers, choose: AnswerChooser): ClassRoute {
  return route(operations.listNodeClasses, async (incoming) => {
    const { query } = incoming;
    const reader = new QueryReader(query);
    const filter = { q: readWords(reader, query, "q"), category: readWords(reader, query, "category") };
    const format = readFormat(reader);
    if (format === "object_info") requireNoPages(reader, query);
    const [limit, cursor] = [reader.readLimit(), reader.readCursor() ?? null];
    reader.requireNoProblem();
    const prepared = format === "ours" ? answers.page({ filter, limit, cursor }) : answers.objectInfo(filter);
    return choose(await prepared, incoming);
  });
}

export function getNodeClassRoute(answers: ClassAnswers, choose: AnswerChooser): ClassRoute {
  return route(operations.getNodeClass, async (incoming) => {
    const reader = new QueryReader(incoming.query);
    const format = readFormat(reader);
    reader.requireNoProblem();
    return choose(await answers.one(incoming.params["name"] ?? "", format), incoming);
  });
}

// An empty form field counts as absent.
function readWords(reader: QueryReader, query: URLSearchParams, name: "q" | "category"): string {
  const most = limits.classSearchLengthMax;
  const values = query.getAll(name);
  if (values.length === 1 && values[0] === "") return "";
  return reader.read(name, (text) => (text.length <= most ? text : null), `at most ${most} characters`) ?? "";
}

function readFormat(reader: QueryReader): ClassFormat {
  return reader.read("format", (text) => (text === "object_info" ? text : null), "object_info") ?? "ours";
}

function requireNoPages(reader: QueryReader, query: URLSearchParams): void {
  for (const name of ["limit", "cursor"])
    if (query.has(name)) reader.problem(name, "cannot be given with format=object_info, which has no pages");
}
