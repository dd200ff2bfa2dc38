// The form of a saved workflow as a page shows it before publishing: the one that was saved in the document, otherwise the one
// that was published last, both as far as they still fit, otherwise a suggestion. And saving one in the document.
import { Fault } from "../../../foundation/fault.ts";
import type { ExpectedVersion } from "../../../foundation/http/expected-version.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { nextTurn } from "../../../foundation/json/large-json.ts";
import type { DescribedClasses } from "../../graphs/index.ts";
import type { Author, SavedWorkflows, WorkflowDocument, WorkflowLocator } from "../../saved-workflows/index.ts";
import { checkForm } from "../form/check-form.ts";
import { abridgeForm, completeForm } from "../form/complete-form.ts";
import { readDocumentForm, writeDocumentForm } from "../form/document-form.ts";
import { formFault, readForm, readFormText } from "../form/read-form.ts";
import { type KnownForm, type SuggestedForm, suggestInSteps } from "../form/suggest-form.ts";
import type { WorkForm } from "../form/work-form.ts";
import { isAppModeOf } from "../form/write-app-mode.ts";
import { type PrepareDeps, withoutDefaultsOf } from "./prepare-version.ts";

export interface WorkflowForm extends SuggestedForm {
  // The version that was read.
  readonly version: number;
}

export interface FormToSave {
  readonly form: JsonDocument;
  readonly note: string | null;
  readonly expected: ExpectedVersion;
}

export interface SavedForm extends WorkflowForm {
  // Of the workflow.
  readonly revision: number;
  // False if the latest version has this form already.
  readonly isNew: boolean;
}

type FormDeps = Pick<PrepareDeps, "saved" | "graphs" | "json" | "lastPublished">;
type SaveDeps = FormDeps & { readonly saved: Pick<SavedWorkflows, "rewrite"> };

// As for a submission: room for 10,000 nodes with 25 inputs each.
const reading = { limits: { keysMax: 250_000, valuesMax: 1_000_000, exactMax: 10_000 }, unhashed: [] };

export async function readWorkflowForm(
  deps: FormDeps,
  locator: WorkflowLocator,
  wanted: number | null,
): Promise<WorkflowForm> {
  await deps.graphs.ready?.();
  const stored = await deps.saved.document(locator, wanted, null);
  const { graph, document } = await readGraph(deps, locator, stored);
  const { known, problems } = await knownForm(deps, locator, graph, document);
  const suggested = await suggestInSteps({ graph, document, classes: deps.graphs.classes(), known }, nextTurn);
  if (suggested.form.outputs.length === 0)
    throw new Fault(
      "validation_failed",
      "The workflow has no output node, so there is nothing that a form could return.",
    );
  return { ...suggested, version: stored.version, problems: [...problems, ...suggested.problems] };
}

// Makes a version of the workflow whose document has the form. Throws validation_failed if it does not fit, and
// precondition_failed if the workflow is not as expected.
export async function saveWorkflowForm(
  deps: SaveDeps,
  locator: WorkflowLocator,
  { form: given, note, expected }: FormToSave,
  by: Author,
): Promise<SavedForm> {
  const form = readForm(given);
  await deps.graphs.ready?.();
  let unshown: readonly string[] = [];
  const edit = async (stored: WorkflowDocument) => {
    const { graph, document } = await readGraph(deps, locator, stored);
    const classes = deps.graphs.classes();
    const wrong = checkForm(form, graph, classes);
    if (wrong.length > 0) throw formFault(wrong);
    const shorter = abridgeForm(form, graph, classes);
    const written = writeDocumentForm(stored.document, document ?? graph, document !== null, shorter);
    unshown = written.problems;
    return written.document;
  };
  const { version, revision, isNew } = await deps.saved.rewrite(
    locator,
    { edit, note: note?.trim() || "Form saved.", expected },
    by,
  );
  const read = await readWorkflowForm(deps, locator, version.version);
  return { ...read, problems: [...unshown, ...read.problems], revision, isNew };
}

interface ReadGraph {
  // In API format.
  readonly graph: JsonDocument;
  // The editor's; null if it was saved in API format.
  readonly document: JsonDocument | null;
}

async function readGraph(deps: FormDeps, locator: WorkflowLocator, stored: WorkflowDocument): Promise<ReadGraph> {
  const read = (bytes: Buffer) => deps.json.read(bytes, reading, locator.workspaceId);
  if (stored.format === "api") return { graph: await read(stored.document), document: null };
  const api = await deps.saved.document(locator, stored.version, "api");
  return { graph: await read(api.document), document: await read(stored.document) };
}

interface FoundForm {
  // Null if there is none, or no output of it is left.
  readonly known: KnownForm | null;
  readonly problems: readonly string[];
}

async function knownForm(
  deps: FormDeps,
  locator: WorkflowLocator,
  graph: JsonDocument,
  document: JsonDocument | null,
): Promise<FoundForm> {
  const classes = deps.graphs.classes();
  const saved = readDocumentForm(document ?? graph, document !== null);
  const fromDocument = saved === null ? nothing : stillFitting("saved", saved, graph, classes);
  if (saved !== null && fromDocument.known !== null) {
    const isEdited = document !== null && !isAppModeOf(document.value, saved);
    return isEdited ? { ...fromDocument, known: { ...fromDocument.known, from: "edited" } } : fromDocument;
  }
  const published = await publishedForm(deps, locator);
  if (published === null) return fromDocument;
  const found = stillFitting("published", published, graph, classes);
  return { ...found, problems: [...fromDocument.problems, ...found.problems] };
}

const nothing: FoundForm = { known: null, problems: [] };

// What of the form fits the graph, completed.
function stillFitting(
  from: "saved" | "published",
  form: WorkForm,
  graph: JsonDocument,
  classes: DescribedClasses,
): FoundForm {
  const wrong = checkForm(form, graph, classes);
  const isFitting = (list: string) => (_: unknown, at: number) =>
    !wrong.some(({ path }) => path.startsWith(`/form/${list}/${at}/`));
  const [inputs, outputs] = [form.inputs.filter(isFitting("inputs")), form.outputs.filter(isFitting("outputs"))];
  const problems = wrong.map(({ path, message }) => `The ${from} form no longer fits: ${path.slice(6)} ${message}.`);
  if (outputs.length === 0) return { known: null, problems };
  return { known: { form: completeForm({ inputs, outputs }, graph, classes), from }, problems };
}

// Without the defaults that were its graph's own.
async function publishedForm(deps: FormDeps, { workspaceId, id }: WorkflowLocator): Promise<WorkForm | null> {
  const published = await deps.lastPublished(workspaceId, id);
  if (published === null) return null;
  const before = await deps.json.read(published.graph, reading, workspaceId);
  return withoutDefaultsOf(before, readFormText(published.form));
}
