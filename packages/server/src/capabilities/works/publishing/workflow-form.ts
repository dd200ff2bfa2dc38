// The form of a saved workflow as a page shows it before publishing: the one that was published last, as far as it still fits,
// otherwise a suggestion.
import { Fault } from "../../../foundation/fault.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { nextTurn } from "../../../foundation/json/large-json.ts";
import type { WorkflowLocator } from "../../saved-workflows/index.ts";
import { checkForm } from "../form/check-form.ts";
import { completeForm } from "../form/complete-form.ts";
import { readFormText } from "../form/read-form.ts";
import { type SuggestedForm, suggestInSteps } from "../form/suggest-form.ts";
import type { WorkForm } from "../form/work-form.ts";
import { type PrepareDeps, withoutDefaultsOf } from "./prepare-version.ts";

export interface WorkflowForm extends SuggestedForm {
  // The version that was read.
  readonly version: number;
}

type FormDeps = Pick<PrepareDeps, "saved" | "graphs" | "json" | "lastPublished">;

// As for a submission: room for 10,000 nodes with 25 inputs each.
const reading = { limits: { keysMax: 250_000, valuesMax: 1_000_000, exactMax: 10_000 }, unhashed: [] };

export async function readWorkflowForm(
  deps: FormDeps,
  locator: WorkflowLocator,
  wanted: number | null,
): Promise<WorkflowForm> {
  const { workspaceId } = locator;
  await deps.graphs.ready?.();
  const stored = await deps.saved.document(locator, wanted, null);
  const api = stored.format === "api" ? stored : await deps.saved.document(locator, stored.version, "api");
  const graph = await deps.json.read(api.document, reading, workspaceId);
  const document = stored.format === "api" ? null : await deps.json.read(stored.document, reading, workspaceId);
  const { form, problems } = await publishedForm(deps, locator, graph);
  const suggested = await suggestInSteps({ graph, document, classes: deps.graphs.classes(), form }, nextTurn);
  if (suggested.form.outputs.length === 0)
    throw new Fault(
      "validation_failed",
      "The workflow has no output node, so there is nothing that a form could return.",
    );
  return { ...suggested, version: stored.version, problems: [...problems, ...suggested.problems] };
}

interface StillFitting {
  // Null if nothing was published, or no output is left.
  readonly form: WorkForm | null;
  readonly problems: readonly string[];
}

async function publishedForm(
  deps: FormDeps,
  { workspaceId, id }: WorkflowLocator,
  graph: JsonDocument,
): Promise<StillFitting> {
  const published = await deps.lastPublished(workspaceId, id);
  if (published === null) return { form: null, problems: [] };
  const before = await deps.json.read(published.graph, reading, workspaceId);
  const inherited = withoutDefaultsOf(before, readFormText(published.form));
  const classes = deps.graphs.classes();
  const wrong = checkForm(inherited, graph, classes);
  const isFitting = (list: string) => (_: unknown, at: number) =>
    !wrong.some(({ path }) => path.startsWith(`/form/${list}/${at}/`));
  const [inputs, outputs] = [
    inherited.inputs.filter(isFitting("inputs")),
    inherited.outputs.filter(isFitting("outputs")),
  ];
  const problems = wrong.map(({ path, message }) => `The published form no longer fits: ${path.slice(6)} ${message}.`);
  if (outputs.length === 0) return { form: null, problems };
  return { form: completeForm({ inputs, outputs }, graph, classes), problems };
}
