// Works: saved workflows that were published. A work has a name, a form and versions that never change, and is called like any
// other model under the id {provider}/{name}. Publishing is not part of the router, so all of this is below /account.
import { type Static, Type } from "typebox";
import { ModelId, ModelSegment, ProviderSegment } from "../models.ts";
import { PageQuery, pageOf } from "../pagination.ts";
import { Credits, entity, notBlank, nullable, OpenObject, Timestamp, Uuid, wordOf } from "../wire-values.ts";
import { WorkflowAuthor, WorkflowChange } from "./saved-workflows.ts";

export const workInputsMax = 200;
export const workOutputsMax = 50;
export const workAlsoMax = 50;
export const workExamplesMax = 10;
export const workVersionsMax = 10_000;

// A trailing .v3 would read as a version. 120 characters leave room for one.
export const workNamePattern = "^(?!.*[.]v[0-9]+$)[a-z0-9]+([._-][a-z0-9]+)*$";
export const WorkName = Type.String({
  pattern: workNamePattern,
  maxLength: 110,
  description:
    "Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version.",
});

const fieldName = Type.String({
  pattern: "^[a-z][a-z0-9_]{0,63}$",
  description: "Lower-case letters, digits and _; begins with a letter. Each name once.",
});
const label = Type.String({ minLength: 1, maxLength: 100, description: "What people see; the name if left out." });
const description = Type.String({ maxLength: 1_000, description: "What it does, for the people who use it." });
const nodeId = Type.String({ minLength: 1, maxLength: 200, description: "The node's id in the API format." });
const nodeInput = Type.String({ minLength: 1, maxLength: 200, description: "The input of the node that it sets." });
const bound = (what: string) => Type.Optional(Type.Number({ description: `${what} Integers of any size are exact.` }));

export const workInputKinds = [
  "text",
  "number",
  "integer",
  "choice",
  "boolean",
  "color",
  "picture",
  "mask",
  "sound",
  "film",
  "file",
] as const;
export const WorkInputKind = wordOf(workInputKinds, {
  title: "WorkInputKind",
  description:
    "What the input takes. A picture, mask, sound, video or file is given as the id of an asset, a https URL or a data URI.",
});
export type WorkInputKind = Static<typeof WorkInputKind>;

export const WorkInput = entity(
  "WorkInput",
  "One input of a form: a value of a node that callers may change.",
  {
    name: fieldName,
    node: nodeId,
    input: nodeInput,
    kind: WorkInputKind,
    also: Type.Optional(
      Type.Array(Type.Object({ node: nodeId, input: nodeInput }, { additionalProperties: false }), {
        minItems: 1,
        maxItems: workAlsoMax,
        description:
          "Further inputs of nodes that get the same value, as one widget of a subgraph can feed several nodes.",
      }),
    ),
    label: Type.Optional(label),
    description: Type.Optional(description),
    group: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: "Inputs of a group are shown together." }),
    ),
    required: Type.Optional(
      Type.Boolean({ description: "Callers must give it. Otherwise the default is used; false if left out." }),
    ),
    default: Type.Optional(
      Type.Unknown({ description: "Used if the caller gives nothing. The value in the graph if left out." }),
    ),
    minimum: bound("The least number, or the fewest characters of a text."),
    maximum: bound("The greatest number, or the most characters of a text."),
    step: bound("Numbers are multiples of this, counted from the minimum."),
    choices: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Number()]), {
        minItems: 1,
        maxItems: 1_000,
        description: "The values of a choice.",
      }),
    ),
    multiline: Type.Optional(Type.Boolean({ description: "The text may have several lines." })),
    random: Type.Optional(
      Type.Boolean({ description: "For integers: a random one if the caller gives nothing. The answer says which." }),
    ),
  },
  { additionalProperties: false },
);
export type WorkInput = Static<typeof WorkInput>;

export const WorkOutput = entity(
  "WorkOutput",
  "One output of a form: what an output node makes.",
  {
    name: fieldName,
    node: nodeId,
    label: Type.Optional(label),
    description: Type.Optional(description),
  },
  { additionalProperties: false },
);
export type WorkOutput = Static<typeof WorkOutput>;

export const WorkForm = entity(
  "WorkForm",
  "What callers may set and what they get, in the order in which people see it.",
  {
    inputs: Type.Array(WorkInput, { maxItems: workInputsMax, description: "May be empty." }),
    outputs: Type.Array(WorkOutput, { minItems: 1, maxItems: workOutputsMax, description: "At least one." }),
  },
  { additionalProperties: false },
);
export type WorkForm = Static<typeof WorkForm>;

export const WorkflowForm = entity("WorkflowForm", "The form of a saved workflow, and what else it could contain.", {
  version: Type.Integer({ minimum: 1, description: "The version that was read." }),
  form: WorkForm,
  source: wordOf(["saved", "published", "app_mode", "inferred"], {
    description:
      "saved: with the version, in its document. published: of the latest work made from this workflow. app_mode: as the editor's app mode saved it in the document. inferred: prompts, seeds, sizes and files that we found.",
  }),
  inputs: Type.Array(WorkInput, { description: "Every value of every node that could be an input." }),
  outputs: Type.Array(WorkOutput, { description: "Every output node." }),
  problems: Type.Array(Type.String(), { description: "What could not be read, in words." }),
});
export type WorkflowForm = Static<typeof WorkflowForm>;

export const SaveWorkflowForm = entity("SaveWorkflowForm", "A form to save with a workflow.", {
  form: WorkForm,
  note: Type.Optional(Type.String({ maxLength: 500, description: "Why, for people who read the history." })),
});
export type SaveWorkflowForm = Static<typeof SaveWorkflowForm>;

export const WorkflowFormQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999, description: "The latest by default." })),
});

const visibility = wordOf(["private", "shared", "public"], {
  description:
    "private: members of this workspace. shared: also the workspaces in shared_with. public: every workspace of this server. Whoever may call it can also read its graph, in the job.",
});
const sharedWith = Type.Array(Uuid, { maxItems: 100, uniqueItems: true, description: "Ids of workspaces." });
const title = Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "Its name for people." });
const note = Type.String({ maxLength: 500, description: "What is new in this version." });
const version = Type.Integer({ minimum: 1, maximum: workVersionsMax, description: "Counts from 1, without gaps." });

export const CallableWork = entity(
  "CallableWork",
  "A work that the workspace can call: its own, shared with it, or public.",
  {
    id: ModelId,
    provider: ProviderSegment,
    model: ModelSegment,
    title: nullable(Type.String(), "Its name for people; null if it has none."),
    description: nullable(Type.String(), "What it does; null if nothing is said."),
    cover: nullable(
      Uuid,
      "An asset of this workspace that an example made; null for works of other workspaces and those without a picture.",
    ),
  },
);
export const CallableWorkPage = pageOf(CallableWork, "CallableWorkPage", "One page of works, sorted by id, bytewise.");

export const Work = entity("Work", "A published workflow that is called like a model.", {
  id: ModelId,
  provider: ProviderSegment,
  name: WorkName,
  title: nullable(title, "Null if it has none."),
  description: nullable(description, "Null if it has none."),
  version: Type.Integer({ minimum: 1, description: "The version that the id without .v3 stands for." }),
  versions: Type.Integer({ minimum: 1, description: "How many versions there are." }),
  workflow_id: nullable(Uuid, "The saved workflow of that version; null if it was deleted."),
  visibility,
  shared_with: sharedWith,
  cover: nullable(Uuid, "The asset of a picture made by an example; null if there is none."),
  deprecated_at: nullable(Timestamp, "Since when callers should move on; null if it is not deprecated."),
  sunset_at: nullable(Timestamp, "From when on it answers 404; null if no end is planned."),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Work = Static<typeof Work>;

export const WorkList = pageOf(Work, "WorkList", "A page of the workspace's works, by name.");
export type WorkList = Static<typeof WorkList>;

export const WorkQuery = Type.Object({
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Only names or titles that contain this." }),
  ),
  ...PageQuery.properties,
});

export const GivenExample = entity(
  "GivenExample",
  "Inputs to run when the work is published.",
  { title: Type.Optional(title), inputs: OpenObject },
  { additionalProperties: false },
);
export type GivenExample = Static<typeof GivenExample>;

export const PublishWork = entity("PublishWork", "A version of a saved workflow, and what callers may set.", {
  workflow_id: Uuid,
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 999_999_999, description: "Of the saved workflow; the latest by default." }),
  ),
  form: Type.Optional(WorkForm),
  title: Type.Optional(title),
  description: Type.Optional(description),
  note: Type.Optional(note),
  visibility: Type.Optional(visibility),
  shared_with: Type.Optional(sharedWith),
  examples: Type.Optional(
    Type.Array(GivenExample, {
      maxItems: workExamplesMax,
      description:
        "Each is run first, and paid for; if one fails, nothing is published. One run with the defaults if left out; none if empty.",
    }),
  ),
  provider: Type.Optional(
    Type.String({
      pattern: "^w[.][a-z0-9]+([._-][a-z0-9]+)*$",
      maxLength: 64,
      description:
        "The first half of the ids of all works of this workspace. Chosen with the first work and never changed; made from the workspace's name if left out.",
    }),
  ),
});
export type PublishWork = Static<typeof PublishWork>;

export const ChangeWork = entity("ChangeWork", "What to change; members that are left out stay.", {
  title: Type.Optional(nullable(title)),
  description: Type.Optional(nullable(description)),
  visibility: Type.Optional(visibility),
  shared_with: Type.Optional(sharedWith),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: workVersionsMax,
      description: "The version that the id without .v3 stands for.",
    }),
  ),
  deprecated_at: Type.Optional(nullable(Timestamp)),
  sunset_at: Type.Optional(nullable(Timestamp, "Not before deprecated_at.")),
});
export type ChangeWork = Static<typeof ChangeWork>;

export const WorkExample = entity("WorkExample", "An example that ran when the version was published.", {
  title: nullable(title, "Null if it has none."),
  inputs: OpenObject,
  job_id: Uuid,
  assets: Type.Array(Uuid, { description: "What it made, kept with the version." }),
});
export type WorkExample = Static<typeof WorkExample>;

export const WorkNeeds = entity(
  "WorkNeeds",
  "What a worker needs to run the version, recorded when it was published.",
  {
    node_classes: Type.Array(
      Type.Object({
        name: Type.String(),
        signature: Type.String({ description: "A hash of the class's inputs and outputs." }),
      }),
    ),
    models: Type.Array(
      Type.Object({
        id: ModelId,
        definition_version: nullable(Type.Integer(), "Null for models that only exist in the server's process."),
      }),
      { description: "Models of the router that its nodes call." },
    ),
    files: Type.Array(
      Type.Object({
        name: Type.String(),
        sha256: nullable(Type.String(), "Null for files that only workers have."),
      }),
      { description: "Files that it loads." },
    ),
    works: Type.Array(ModelId, { description: "Versions of other works that it contains." }),
  },
);
export type WorkNeeds = Static<typeof WorkNeeds>;

export const WorkVersion = entity("WorkVersion", "One version of a work. It never changes.", {
  id: ModelId,
  version,
  workflow_id: nullable(Uuid, "Null if the saved workflow was deleted."),
  workflow_version: Type.Integer({ minimum: 1, description: "The version of the saved workflow." }),
  form: WorkForm,
  needs: WorkNeeds,
  examples: Type.Array(WorkExample),
  note: nullable(Type.String(), "What is new in it."),
  created_at: Timestamp,
  created_by: nullable(WorkflowAuthor, "Who published it."),
});
export type WorkVersion = Static<typeof WorkVersion>;

export const WorkVersionList = pageOf(WorkVersion, "WorkVersionList", "A page of versions, the latest first.");
export type WorkVersionList = Static<typeof WorkVersionList>;

export const WorkDiffQuery = Type.Object({
  from: Type.Optional(
    Type.Integer({ minimum: 1, maximum: workVersionsMax, description: "The one before `to` by default." }),
  ),
  to: Type.Optional(Type.Integer({ minimum: 1, maximum: workVersionsMax, description: "The last one by default." })),
});

export const WorkDiff = entity("WorkDiff", "How two versions of a work differ.", {
  from: version,
  to: version,
  form: Type.Array(Type.String(), { description: "Changes of the form, as sentences." }),
  changes: Type.Array(WorkflowChange, { description: "Changes of the graph." }),
  is_same: Type.Boolean({ description: "True if both the form and the graph are the same." }),
});
export type WorkDiff = Static<typeof WorkDiff>;

export const NewWorkLink = entity("NewWorkLink", "A link with which people without an account can run the work.", {
  label: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "Whom it is for." }),
  ),
  budget: Type.String({
    pattern: "^(0|[1-9][0-9]{0,12})(\\.[0-9]{1,6})?$",
    description: "What all runs through the link may cost together, in credits.",
  }),
  expires_at: Timestamp,
});
export type NewWorkLink = Static<typeof NewWorkLink>;

export const WorkLink = entity("WorkLink", "A link to a work, with a budget and an end.", {
  id: Uuid,
  label: nullable(Type.String(), "Whom it is for."),
  budget: Credits,
  spent: Type.Unsafe<string>({ ...Credits, description: "What its runs have cost so far." }),
  expires_at: Timestamp,
  ended_at: nullable(Timestamp, "When it was ended by hand; null if it was not."),
  created_at: Timestamp,
});
export type WorkLink = Static<typeof WorkLink>;

export const CreatedWorkLink = entity("CreatedWorkLink", "The link, with its address. It is shown this once.", {
  ...WorkLink.properties,
  url: Type.String({ format: "uri", description: "What to send to people. The part after # is the secret." }),
});
export type CreatedWorkLink = Static<typeof CreatedWorkLink>;

export const WorkLinkList = entity("WorkLinkList", "The links of a work, the newest first.", {
  data: Type.Array(WorkLink),
});
export type WorkLinkList = Static<typeof WorkLinkList>;
