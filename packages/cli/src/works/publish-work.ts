// `atelier works publish`: a saved workflow becomes a work, or the next version of one. The server runs the examples first, so
// it may take a while.
import { type Form, type GivenExample, NotFound, type PublishedWork, type PublishWorkOptions } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { given } from "../given.ts";
import { readJsonFile } from "../jobs/read-graph.ts";
import { isRecord } from "../json-record.ts";
import { wrongCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";
import type { Asked } from "../server/over-http.ts";
import { findWorkflow, pathOf } from "../workflows/find-workflow.ts";
import { namedWork, nameFrom } from "./named-work.ts";

export async function publishWork(asked: Asked): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const options = readOptions(asked);
  const workflow = await findWorkflow(atelier, call.words[0] ?? "");
  const given = call.text("as");
  const name = given === undefined ? nameFrom(workflow.name) : namedWork(given).name;
  if (name === "") throw wrongCall("works", [`No name can be made from “${workflow.name}”; give one: --as my-work`]);
  const before = await existing(atelier, name);
  if (before !== null && given === undefined && before.workflow_id !== workflow.id)
    throw taken(before, pathOf(workflow));
  const after = await waiting(asked, name, (signal) =>
    atelier.works.publish(name, workflow.id, { ...options, signal }),
  );
  if (after === null) return stopped(asked, name);
  const isNew = before === null || after.versions > before.versions;
  if (!input.json && isNew)
    input.say(`  Run it: atelier works run ${name} -o out/     See its inputs: atelier works show ${name}`);
  const text = isNew
    ? `Published ${after.id}, version ${after.versions}.`
    : `${after.id} has this content already, as version ${after.version}. No version was added.`;
  return { data: after, text };
}

async function existing(atelier: Asked["atelier"], name: string): Promise<PublishedWork | null> {
  try {
    return await atelier.works.get(name);
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

const taken = ({ id, name }: PublishedWork, workflow: string): ClientProblem =>
  new ClientProblem(
    "rejected_input",
    "conflict",
    `${id} was published from a different workflow, not from “${workflow}”.`,
    {
      hint: `add a version to it all the same: --as ${name}     or choose another name: --as my-work`,
    },
  );

// Null if the person stopped waiting.
async function waiting<T>({ input }: Asked, name: string, run: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const leaving = new AbortController();
  const interrupt = () => leaving.abort();
  const startedMs = performance.now();
  const draw = () => input.redraw(`publishing ${name}   ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  const ticking = setInterval(draw, 200);
  process.once("SIGINT", interrupt);
  try {
    return await run(leaving.signal);
  } catch (error) {
    if (leaving.signal.aborted) return null;
    throw error;
  } finally {
    process.off("SIGINT", interrupt);
    clearInterval(ticking);
    input.redraw("");
  }
}

function stopped({ input }: Asked, name: string): CommandResult {
  const problem = `Stopped waiting; it may still be published. Look: atelier works show ${name}`;
  input.say(problem);
  return { data: { name }, text: "", exitCode: exitCodes.interrupted, problem };
}

function readOptions({ call }: Asked): PublishWorkOptions {
  const sharedWith = call.texts("share-with");
  const shown = [
    ...(call.has("public") ? (["public"] as const) : []),
    ...(call.has("private") ? (["private"] as const) : []),
    ...(sharedWith.length > 0 ? (["shared"] as const) : []),
  ];
  if (shown.length > 1) throw wrongCall("works", ["Use one of --public, --private and --share-with."]);
  const examples = call.texts("example");
  if (examples.length > 0 && call.has("no-examples"))
    throw wrongCall("works", ["--example and --no-examples cannot be used together."]);
  const [visibility] = shown;
  const form = call.text("form");
  return {
    ...given({
      title: call.text("title"),
      description: call.text("description"),
      note: call.text("note"),
      provider: call.text("provider"),
      visibility,
      version: call.whole("version", 1, 999_999_999),
      form: form === undefined ? undefined : readForm(form),
    }),
    ...(sharedWith.length === 0 ? {} : { sharedWith }),
    ...(call.has("no-examples") ? { examples: [] } : {}),
    ...(examples.length === 0 ? {} : { examples: examples.map(readExample) }),
  };
}

// As `atelier workflows form` writes it, with or without --json around it. The server says what is wrong inside.
export function readForm(file: string): Form {
  const value = readJsonFile(file);
  for (const each of [value, memberOf(value, "form"), memberOf(memberOf(value, "data"), "form")])
    if (isForm(each)) return each;
  throw new ClientProblem("rejected_input", "invalid_form", `${file} contains no form.`, {
    hint: "a form has inputs and outputs; begin with the workflow's own: atelier workflows form <name> -o form.json",
  });
}

const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

const isForm = (value: unknown): value is Form =>
  isRecord(value) && Array.isArray(value["inputs"]) && Array.isArray(value["outputs"]);

// Inputs by name, or {"title": "…", "inputs": {…}}.
export function readExample(file: string): GivenExample {
  const value = readJsonFile(file);
  if (isExample(value)) return value;
  if (isRecord(value)) return { inputs: value };
  throw new ClientProblem("rejected_input", "invalid_input", `${file} must contain one JSON object: inputs by name.`);
}

const isExample = (value: unknown): value is GivenExample =>
  isRecord(value) &&
  isRecord(value["inputs"]) &&
  Object.keys(value).every((name) => ["title", "inputs"].includes(name));
