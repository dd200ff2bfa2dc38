// Workflows that the workspace keeps: by name, in folders, with every version.

import { parseJson } from "./exact-json.ts";
import type { DuplicateWorkflow, SavedWorkflow, WorkflowDiff, WorkflowVersion } from "./generated/wire.ts";
import { readJson, walk } from "./pages.ts";
import { type CallOptions, pickCallOptions, type Transport } from "./transport.ts";
import type { EditorGraph, Graph } from "./workflow.ts";
import { matching, withEtag } from "./works/etags.ts";
import type { Form, SuggestedForm } from "./works/forms.ts";

/** Which saved workflows to list; all that are not archived by default. */
export interface ListWorkflowsOptions extends CallOptions {
  /** Words that must all occur, at least by their beginning: in names, tags, classes, model names and texts. */
  readonly q?: string;
  /** This folder and the folders in it. */
  readonly folder?: string;
  readonly tag?: string;
  /** Only with a node of this class. */
  readonly class?: string;
  readonly archived?: boolean;
}

/** Where a document comes from: the workflow itself, its JSON text, or a job that ran it. */
export type WorkflowSource = Graph | EditorGraph | string | { readonly jobId: string };

/** How to save a workflow. */
export interface SaveOptions extends CallOptions {
  readonly folder?: string;
  readonly tags?: readonly string[];
  /** Why, for people who read the history. */
  readonly note?: string;
}

/** How to save a further version. */
export interface SaveVersionOptions extends CallOptions {
  readonly note?: string;
  /** The ETag that the change is based on; refused with 412 if the workflow changed since. */
  readonly ifMatch?: string;
}

/** What to change; the rest stays. */
export interface ChangeWorkflowOptions extends CallOptions {
  readonly name?: string;
  readonly folder?: string;
  readonly tags?: readonly string[];
  readonly archived?: boolean;
  readonly ifMatch?: string;
}

/** A saved workflow, and the ETag to change it with. */
export interface KeptWorkflow extends SavedWorkflow {
  readonly etag: string;
}

/** A form as it was saved, and the ETag to change its workflow with. */
export interface KeptForm extends SuggestedForm {
  readonly etag: string;
}

const path = "/account/workflows";
const at = (id: string, end = "") => `${path}/${encodeURIComponent(id)}${end}`;

/** Saved workflows: `atelier.workflows`. */
export class SavedWorkflows {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The saved workflows, last changed first.
   * @example
   * for await (const { name, version } of atelier.workflows.list({ q: "lighthouse" })) console.log(name, version);
   */
  list(options: ListWorkflowsOptions & { readonly pageSize?: number } = {}): AsyncGenerator<SavedWorkflow, void> {
    const { q, folder, tag, class: classType, archived, pageSize, ...call } = options;
    const flag = archived === undefined ? undefined : String(archived);
    return walk(this.#transport, path, {
      ...call,
      query: { q, folder, tag, class: classType, archived: flag, limit: pageSize },
    });
  }

  /**
   * Saves a workflow under a name. A text is kept byte for byte.
   * @example
   * const saved = await atelier.workflows.save("Lighthouse", graph, { folder: "posters" });
   */
  async save(name: string, source: WorkflowSource, options: SaveOptions = {}): Promise<KeptWorkflow> {
    const { folder, tags, note } = options;
    const members = { name, folder, tags, note };
    return withEtag(await this.#transport.send(path, { ...pickCallOptions(options), ...posted(members, source) }));
  }

  async get(id: string, options: CallOptions = {}): Promise<KeptWorkflow> {
    return withEtag(await this.#transport.send(at(id), options));
  }

  /** Renames, moves, tags, archives or brings back. */
  async change(id: string, options: ChangeWorkflowOptions): Promise<KeptWorkflow> {
    const { name, folder, tags, archived } = options;
    const ask = { method: "PATCH", json: { name, folder, tags, archived }, headers: matching(options) } as const;
    return withEtag(await this.#transport.send(at(id), { ...pickCallOptions(options), ...ask }));
  }

  /** Deletes an archived workflow with all its versions. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.send(at(id), { ...pickCallOptions(options), method: "DELETE" });
  }

  async duplicate(id: string, copy: DuplicateWorkflow, options: CallOptions = {}): Promise<KeptWorkflow> {
    const ask = { ...pickCallOptions(options), method: "POST", json: copy } as const;
    return withEtag(await this.#transport.send(at(id, "/duplicate"), ask));
  }

  /** The versions, the latest first. */
  versions(
    id: string,
    options: CallOptions & { readonly pageSize?: number } = {},
  ): AsyncGenerator<WorkflowVersion, void> {
    const { pageSize, ...call } = options;
    return walk(this.#transport, at(id, "/versions"), { ...call, query: { limit: pageSize } });
  }

  /** Saves the next version. The very bytes of the latest one make none. */
  saveVersion(id: string, source: WorkflowSource, options: SaveVersionOptions = {}): Promise<WorkflowVersion> {
    const { note } = options;
    const ask = { ...pickCallOptions(options), ...posted({ note }, source), headers: jsonHeaders(options) };
    return readJson(this.#transport, at(id, "/versions"), ask);
  }

  /** Repeats an earlier version as the latest one. */
  restore(id: string, version: number, options: SaveVersionOptions = {}): Promise<WorkflowVersion> {
    const json = { restore: version, note: options.note };
    const ask = { ...pickCallOptions(options), method: "POST", json, headers: matching(options) } as const;
    return readJson(this.#transport, at(id, "/versions"), ask);
  }

  /** The document's text, byte for byte as saved, or converted to the graph that jobs run. */
  async text(
    id: string,
    options: CallOptions & { readonly version?: number; readonly format?: "api" | "editor" } = {},
  ): Promise<string> {
    const { version = "latest", format, ...call } = options;
    const response = await this.#transport.send(at(id, `/versions/${version}/document`), {
      ...call,
      query: { format },
    });
    return response.text();
  }

  /** The graph that jobs run, with exact integers: `atelier.jobs.run(await atelier.workflows.graph(id))`. */
  async graph(id: string, options: CallOptions & { readonly version?: number } = {}): Promise<Graph> {
    return parseJson(await this.text(id, { ...options, format: "api" })) as Graph;
  }

  /** What changed between two versions; by default in the latest one. */
  diff(
    id: string,
    options: CallOptions & { readonly from?: number; readonly to?: number } = {},
  ): Promise<WorkflowDiff> {
    const { from, to, ...call } = options;
    return readJson(this.#transport, at(id, "/diff"), { ...call, query: { from, to } });
  }

  /**
   * The form that it would be published with, and every value and output that could be in one.
   * @example
   * const { form } = await atelier.workflows.form(workflow.id);
   * await atelier.works.publish("lighthouse", workflow.id, { form });
   */
  form(id: string, options: CallOptions & { readonly version?: number } = {}): Promise<SuggestedForm> {
    const { version, ...call } = options;
    return readJson(this.#transport, at(id, "/form"), { ...call, query: { version } });
  }

  /**
   * Saves a form with the workflow, as its next version. Nothing is published, and the rest of the document stays as it is.
   * @example
   * const { form, version } = await atelier.workflows.saveForm(workflow.id, edited, { note: "A label for the seed." });
   */
  async saveForm(id: string, form: Form, options: SaveVersionOptions = {}): Promise<KeptForm> {
    const json = { form, note: options.note };
    const ask = { ...pickCallOptions(options), method: "PUT", json, headers: matching(options) } as const;
    return withEtag(await this.#transport.send(at(id, "/form"), ask));
  }
}

const jsonHeaders = (options: { readonly ifMatch?: string }) => ({
  "content-type": "application/json",
  ...matching(options),
});

// A text goes into the body as it is: parsing and writing it again would lose its exact bytes.
function posted(members: object, source: WorkflowSource) {
  if (typeof source !== "string") {
    const json = isJob(source) ? { ...members, job_id: source.jobId } : { ...members, document: source };
    return { method: "POST", json } as const;
  }
  const start = JSON.stringify(members).slice(0, -1);
  const body = `${start}${start === "{" ? "" : ","}"document":${source}}`;
  return { method: "POST", body, headers: { "content-type": "application/json" } } as const;
}

function isJob(source: Exclude<WorkflowSource, string>): source is { readonly jobId: string } {
  return "jobId" in source && typeof source.jobId === "string";
}
