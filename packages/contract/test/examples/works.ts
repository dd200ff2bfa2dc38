// Realistic works, forms, versions and links, and ways to break them.
import { time as at, type Example, uuid as id } from "./example.ts";

const input = {
  name: "prompt",
  node: "6",
  input: "text",
  kind: "text",
  label: "Prompt",
  description: "What to show.",
  group: "Picture",
  required: true,
  default: "a lighthouse",
  maximum: 1000,
  multiline: true,
};
const choice = { name: "size", node: "5", input: "width", kind: "choice", choices: [512, 1024] };
const seed = {
  name: "seed",
  node: "3",
  input: "seed",
  kind: "integer",
  minimum: 0,
  maximum: 10,
  step: 2,
  random: true,
};
const output = { name: "picture", node: "9", label: "Picture", description: "The finished picture." };
const form = { inputs: [input, choice, seed], outputs: [output] };
const work = {
  id: "w.acme/lighthouse",
  provider: "w.acme",
  name: "lighthouse",
  title: "Lighthouse",
  description: "A lighthouse at any time of day.",
  version: 2,
  versions: 3,
  workflow_id: id,
  visibility: "shared",
  shared_with: [id],
  cover: id,
  deprecated_at: at,
  sunset_at: null,
  created_at: at,
  updated_at: at,
};
const example = { title: "At night", inputs: { prompt: "at night", seed: 4 }, job_id: id, assets: [id] };
const needs = {
  node_classes: [{ name: "TextPrompt", signature: "0f" }],
  models: [{ id: "sandbox/picture", definition_version: 3 }],
  files: [{ name: "sky.png", sha256: null }],
  works: ["w.acme/inner.v1"],
};
const version = {
  id: "w.acme/lighthouse.v2",
  version: 2,
  workflow_id: null,
  workflow_version: 7,
  form,
  needs,
  examples: [example],
  note: "warmer light",
  created_at: at,
  created_by: { kind: "person", id, name: "Ada" },
};
const change = {
  kind: "node_added",
  node_id: "6",
  class_type: "TextPrompt",
  title: null,
  input: null,
  before: null,
  after: null,
  words: "Added TextPrompt (6).",
};
const link = {
  id,
  label: "The judges",
  budget: "5",
  spent: "0.25",
  expires_at: at,
  ended_at: null,
  created_at: at,
};
const page = (entry: object) => ({ data: [entry], has_more: true, next_cursor: "v1.abc.def", limit: 20 });

const callable = {
  id: "w.acme/fox",
  provider: "w.acme",
  model: "fox",
  title: "Fox",
  description: null,
  cover: id,
};
const templateNeeds = { classes: [], weights: ["vae.safetensors"], providers: ["bfl"] };
const template = {
  name: "night-glow",
  source: "operator",
  title: "Night glow",
  description: null,
  category: "Image",
  tags: ["API"],
  has_picture: true,
  runs_here: false,
  needs: templateNeeds,
  files: ["photo.png"],
};

export const workExamples: Record<string, Example> = {
  CallableWork: { good: callable, broken: { id: "fox", model: undefined, cover: "1" } },
  CallableWorkPage: { good: { data: [callable], has_more: false, limit: 20 }, broken: { data: undefined, limit: 0 } },
  TemplateNeeds: { good: templateNeeds, broken: { classes: undefined, weights: [1], providers: "bfl" } },
  Template: {
    good: template,
    broken: { name: "a/b", title: undefined, has_picture: "yes", source: "here", files: "x" },
  },
  TemplateList: { good: { data: [template] }, broken: { data: undefined, "data.0.name": "" } },
  TemplateWorkflow: { good: { "1": { class_type: "EmptyImage", inputs: {} } }, broken: { "": [] } },
  WorkInput: {
    good: { ...input, also: [{ node: "12:5", input: "text" }] },
    broken: { name: "Prompt", kind: "poem", choices: [], node: "", also: [] },
  },
  WorkInputKind: { good: "choice", broken: { "": "poem" } },
  WorkOutput: { good: output, broken: { name: "9", node: undefined } },
  WorkForm: { good: form, broken: { inputs: undefined, outputs: [], "inputs.0.more": 1 } },
  WorkflowForm: {
    good: { version: 1, form, source: "app_mode", inputs: [input], outputs: [output], problems: ["It has no seed."] },
    broken: { version: 0, source: "guessed", problems: "none" },
  },
  SaveWorkflowForm: { good: { form, note: "Prompt and seed." }, broken: { form: undefined, note: 1 } },
  Work: { good: work, broken: { name: "lighthouse.v2", visibility: "secret", shared_with: ["acme"], version: 0 } },
  WorkList: { good: page(work), broken: { "data.0.id": "lighthouse", limit: 0 } },
  GivenExample: { good: { title: "At night", inputs: { seed: 4 } }, broken: { title: " ", inputs: [] } },
  PublishWork: {
    good: { workflow_id: id, version: 7, form, title: "Lighthouse", examples: [{ inputs: {} }], provider: "w.acme" },
    broken: { workflow_id: "1", version: 0, provider: "acme", shared_with: [1], examples: [{}] },
  },
  ChangeWork: {
    good: { title: null, version: 1, sunset_at: at },
    broken: { version: 0, title: "", sunset_at: "soon" },
  },
  WorkExample: { good: example, broken: { job_id: "1", inputs: undefined } },
  WorkNeeds: { good: needs, broken: { works: ["inner"], files: undefined } },
  WorkVersion: { good: version, broken: { id: "lighthouse", workflow_version: 0, "created_by.kind": "robot" } },
  WorkVersionList: { good: page(version), broken: { "data.0.version": "2" } },
  WorkDiff: {
    good: { from: 1, to: 2, form: ["Input seed was added."], changes: [change], is_same: false },
    broken: { from: 0, form: {}, is_same: "no" },
  },
  NewWorkLink: { good: { label: "The judges", budget: "5", expires_at: at }, broken: { label: " ", budget: "-5" } },
  WorkLink: { good: link, broken: { id: "1", spent: 0.25, expires_at: "soon" } },
  CreatedWorkLink: {
    good: { ...link, url: "https://atelier.example/w/w.acme/lighthouse#key=service-abc" },
    broken: { url: 1, budget: undefined },
  },
  WorkLinkList: { good: { data: [link] }, broken: { data: {} } },
};
