// Where the document and the server differ on purpose, with the reason. document-bounds.db.test.ts fails if one of them
// is unused.
import type { Probe } from "./document-probes.ts";

export interface DocumentException {
  readonly name: string;
  // Match the names of operations and locations.
  readonly operation: RegExp;
  readonly location: RegExp;
  readonly isAllowed: boolean;
  readonly reason: string;
}

const allowed = (operation: RegExp, location: RegExp, reason: string): DocumentException => ({
  name: `${operation.source} ${location.source} allowed`,
  operation,
  location,
  isAllowed: true,
  reason,
});
const ignored = (operation: RegExp, location: RegExp, reason: string): DocumentException => ({
  ...allowed(operation, location, reason),
  name: `${operation.source} ${location.source} not allowed`,
  isAllowed: false,
});

const exists = "The form is right; there is no such thing.";
const fileName =
  "What a file may be called (no blanks around a name, nothing that no system keeps, bytes) is told in words.";
const inBytes = "Counted in bytes, as it says; JSON Schema counts characters.";
const definition =
  "The document shows what every definition has; the loader of definitions knows the rest (docs/PROVIDER-DEFINITIONS.md).";

export const exceptions: readonly DocumentException[] = [
  allowed(/^list/, /^query\.cursor$/, "A cursor is signed: only what we issued is one (spec, Router rule 2)."),
  allowed(
    /^put(Server)?Route$/,
    /^body\.targets\.0\.(model|inputs\..*)$/,
    "Which models there are, and what each takes, is known when a route is written; the 422 says where it is wrong.",
  ),
  ignored(/^tryBadge$/, /^body\./, "A dry run answers 200 and tells what is wrong as findings."),
  ignored(/^getHealth$/, /^query\.challenge$/, "Health is always answered; what is no challenge gets no proof."),
  allowed(
    /^(createKey|(create|update)Workspace|addMember)$/,
    /^body\.name$/,
    "100 characters once trimmed, as it says.",
  ),
  allowed(
    /^putBudget$/,
    /^body\.(scope|subject)$/,
    "Every scope but the workspace has a subject of its own form, as it says.",
  ),
  allowed(
    /WebhookEndpoint$/,
    /^body\.(types|filter)/,
    "A filter applies to every type of its endpoint, and a tag is key=value, as it says.",
  ),
  allowed(
    /^getUsageSeries$/,
    /^query\.(by|tag_key)$/,
    "The key of a tag goes with by=tag and with nothing else, as it says.",
  ),
  allowed(
    /^(invokeModel|submitModelRequest)$/,
    /^header\.X-Service-Tags$/,
    "A JSON object within a text, as it says; its limits are those of labels.",
  ),
  allowed(
    /^createIdentityToken$/,
    /^body\.(models|credits_max)$/,
    "Required of keys and sessions, as it says; a token may leave them out.",
  ),
  allowed(
    /^createIdentityToken$/,
    /^body\.addresses$/,
    "The pattern has the characters of addresses; which texts are one, no pattern can say shortly.",
  ),
  allowed(
    /^((save|duplicateSaved|changeSaved)Workflow)$/,
    /^body\.(name|folder)$/,
    "Names of 100 characters once trimmed, joined by slashes, as it says.",
  ),
  allowed(
    /^saveWorkflow(Version)?$/,
    /^body\.(document|job_id|restore)$/,
    "Exactly one of them, as it says, and a document has at least one node.",
  ),
  allowed(
    /^(submitJob|createEstimate)$/,
    /^body\.(work|inputs)(\.|$)/,
    "Either a workflow, or a work with its inputs, as it says.",
  ),
  ignored(/^(submitJob|createEstimate)$/, /^body\.inputs$/, "Some writers send null for what they leave out."),
  allowed(/^saveWorkflowForm$/, /^body\.form\./, "A form names nodes and inputs of the workflow, each once."),
  allowed(/^setRequestBodyKeeping$/, /^body\.keep_hours$/, "The operator's bound, as it says: keep_hours_max."),
  allowed(/^keepPlaygroundRun$/, /^body\.input$/, "A JSON object as text, as it says."),
  allowed(/^publishWork$/, /^body\.examples/, "An example has the inputs that the form beside it names."),
  allowed(/^(publish|change)Work$/, /^body\.shared_with$/, "Only for a shared work, and only workspaces that exist."),
  allowed(/^changeWork$/, /^body\.version$/, exists),
  allowed(/^getWorkflowDocument$/, /^query\.format$/, "A graph in API format has no layout for an editor."),
  allowed(/^addWeight$/, /^body\.path$/, "A folder and a name below models, as it says."),
  allowed(/^addWeight$/, /^body\.bytes$/, "As long as the disk has room for it."),
  allowed(/^readWeight$/, /^query\.(from|bytes)$/, "Within the weight, and at most 64 MiB, as it says."),
  allowed(
    /./,
    /webhook_url$|Webhook-Url$|^body\.url$/,
    "http goes only to targets that an operator has listed (decisions, section 4).",
  ),
  allowed(/BadgeRow$/, /^body\.badge\.expr$/, "An expression is proven, not matched."),
  allowed(/Deployment$/, /^body\.(workspace_id|environment\.lock_id)$/, exists),
  allowed(/^createWorkspaceAsAdmin$/, /^body\.owner_id$/, exists),
  allowed(/^createWorkerToken$/, /^body\.pool_ids$/, exists),
  allowed(/^createPublisherMember$/, /^body\.email$/, exists),
  allowed(/Deployment$/, /^body\.workers_min$/, "It is also bounded by workers_max beside it."),
  allowed(/^putProvider$/, /^path\.provider$/, "The body names the same provider."),
  allowed(/^putProvider$/, /^body\./, definition),
  allowed(/^createAssetFromHash$/, /^body\.file_path$/, fileName),
  allowed(/^createStorageTicket$/, /^body\.file_name$/, fileName),
  allowed(/^keep(Known)?Output$/, /^(body|query)\.name$/, fileName),
  allowed(/^(listJobs|submitJob|createEstimate)$/, /\.metadata$/, inBytes),
  allowed(
    /^(submitJob|convertWorkflow|createEstimate)$/,
    /^body\.workflow$/,
    "A graph of nothing has the right form and nothing to run.",
  ),
  allowed(
    /^(submitJob|createEstimate)$/,
    /^body\.workflow\.nodes/,
    "An editor's graph is judged by its conversion: a node without a class has the right form and cannot run.",
  ),
  allowed(
    /^createUpload$/,
    /^header\.Upload-Metadata$/,
    "What the pairs must name (content_type, file_path) is inside their base64.",
  ),
  allowed(
    /^createUpload$/,
    /^header\.Upload-(Concat|Defer-Length)$/,
    "tus takes exactly one of Upload-Length, Upload-Defer-Length and a final Upload-Concat; a header's schema sees one header.",
  ),
  allowed(
    /^appendToUpload$/,
    /^header\.Upload-Length$/,
    "The length is said once and covers what has come: the upload decides, not the form.",
  ),
  allowed(
    /^(relightImage|enhanceSkin)/,
    /^body\.(image|transfer_light_from_\w+)$/,
    "Base64 of many MiB is judged as it is read; no pattern runs over it.",
  ),
  allowed(/Publisher$/, /^body\.support$/, "Words for people, without markup; told in words."),
  allowed(
    /^validatePublisherId$/,
    /^query\.username$/,
    "400 also says that the id is taken (the ecosystem's form of this answer).",
  ),
  allowed(
    /^(publishNodeVersion|installNode|getNodeCapabilities)$/,
    /\.(version|since)$/,
    "A semantic version, read as leniently as publishing tools write one: told in words.",
  ),
  allowed(/^publishNodeVersion$/, /^body\.node\.id$/, "It repeats the node of the path, or is empty."),
];

export function exceptionFor(operation: string, probe: Pick<Probe, "location" | "isAllowed">): string | null {
  const found = exceptions.find(
    (one) => one.isAllowed === probe.isAllowed && one.operation.test(operation) && one.location.test(probe.location),
  );
  return found?.name ?? null;
}
