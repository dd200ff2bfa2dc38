// Works: saved workflows that were published. Publishing and versions are here; a work is called like any model, through
// `atelier.models` or as a job.

import type { ChangeWork, GivenExample, Work, WorkDiff } from "../generated/wire.ts";
import { readJson, walk } from "../pages.ts";
import { type CallOptions, pickCallOptions, type Transport } from "../transport.ts";
import { matching, withEtag } from "./etags.ts";
import type { Form, PublishedVersion } from "./forms.ts";
import { WorkLinks } from "./work-links.ts";

/** What to publish, and for whom. */
export interface PublishWorkOptions extends CallOptions {
  /** Of the saved workflow; the latest by default. */
  readonly version?: number;
  /** The workflow's own form if left out: `atelier.workflows.form(id)`. */
  readonly form?: Form;
  readonly title?: string;
  readonly description?: string;
  /** What is new in this version. */
  readonly note?: string;
  readonly visibility?: Work["visibility"];
  /** Ids of workspaces that may call it too. */
  readonly sharedWith?: readonly string[];
  /** Inputs to run first, and pay for. One run with the defaults if left out; none if empty. */
  readonly examples?: readonly GivenExample[];
  /** The first half of the ids of all works of the workspace, chosen with its first work: w.acme. */
  readonly provider?: string;
  /** The ETag that it is based on; refused with 412 if the work changed since. */
  readonly ifMatch?: string;
}

/** What to change; the rest stays. */
export interface ChangeWorkOptions extends CallOptions {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly visibility?: Work["visibility"];
  readonly sharedWith?: readonly string[];
  /** The version that the id without .v3 stands for. */
  readonly version?: number;
  readonly deprecatedAt?: Date | string | null;
  /** From when on it answers 404. */
  readonly sunsetAt?: Date | string | null;
  readonly ifMatch?: string;
}

/** A work, and the ETag to change it with. */
export interface PublishedWork extends Work {
  readonly etag: string;
}

// Publishing waits for its examples, which may run models.
const publishTimeoutMs = 660_000;

const path = "/account/works";
const at = (name: string, end = "") => `${path}/${encodeURIComponent(name)}${end}`;

/** Works: `atelier.works`. */
export class Works {
  readonly links: WorkLinks;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.links = new WorkLinks(transport);
  }

  /**
   * The workspace's works, by name.
   * @example
   * for await (const { id, version } of atelier.works.list()) console.log(id, version);
   */
  list(options: CallOptions & { readonly q?: string; readonly pageSize?: number } = {}): AsyncGenerator<Work, void> {
    const { q, pageSize, ...call } = options;
    return walk(this.#transport, path, { ...call, query: { q, limit: pageSize } });
  }

  /**
   * Publishes a saved workflow as a work, or as the next version of one. Runs its examples first and waits for them; if one
   * fails, nothing is published.
   * @example
   * const { id } = await atelier.works.publish("lighthouse", workflow.id, { title: "Lighthouse" });
   * const { data } = await atelier.models.run(id, { prompt: "a lighthouse in fog" });
   */
  async publish(name: string, workflowId: string, options: PublishWorkOptions = {}): Promise<PublishedWork> {
    const { signal: _, timeoutMs: __, ifMatch: ___, sharedWith: shared_with, ...fields } = options;
    const json = { ...fields, workflow_id: workflowId, shared_with };
    const ask = { method: "PUT", json, headers: matching(options), usualTimeoutMs: publishTimeoutMs } as const;
    return withEtag(await this.#transport.send(at(name), { ...pickCallOptions(options), ...ask }));
  }

  async get(name: string, options: CallOptions = {}): Promise<PublishedWork> {
    return withEtag(await this.#transport.send(at(name), options));
  }

  /** Describes, shares or deprecates it, or chooses its current version. */
  async change(name: string, options: ChangeWorkOptions): Promise<PublishedWork> {
    const { signal: _, timeoutMs: __, ifMatch: ___, sharedWith, deprecatedAt, sunsetAt, ...fields } = options;
    const json = {
      ...fields,
      shared_with: sharedWith,
      deprecated_at: moment(deprecatedAt),
      sunset_at: moment(sunsetAt),
    } satisfies { readonly [Member in keyof ChangeWork]: ChangeWork[Member] | undefined };
    const ask = { method: "PATCH", json, headers: matching(options) } as const;
    return withEtag(await this.#transport.send(at(name), { ...pickCallOptions(options), ...ask }));
  }

  /** Withdraws it with all its versions. Calls that are running end as usual. */
  async delete(name: string, options: CallOptions & { readonly ifMatch?: string } = {}): Promise<void> {
    const ask = { ...pickCallOptions(options), method: "DELETE", headers: matching(options) } as const;
    await this.#transport.send(at(name), ask);
  }

  /** The versions, the latest first. */
  versions(
    name: string,
    options: CallOptions & { readonly pageSize?: number } = {},
  ): AsyncGenerator<PublishedVersion, void> {
    const { pageSize, ...call } = options;
    return walk(this.#transport, at(name, "/versions"), { ...call, query: { limit: pageSize } });
  }

  /** One version with its form and examples; the latest by default. */
  version(name: string, version: number | "latest" = "latest", options: CallOptions = {}): Promise<PublishedVersion> {
    return readJson(this.#transport, at(name, `/versions/${version}`), options);
  }

  /** What changed between two versions, in the form and in the graph; by default in the latest one. */
  diff(name: string, options: CallOptions & { readonly from?: number; readonly to?: number } = {}): Promise<WorkDiff> {
    const { from, to, ...call } = options;
    return readJson(this.#transport, at(name, "/diff"), { ...call, query: { from, to } });
  }
}

const moment = (given: Date | string | null | undefined): string | null | undefined =>
  given === undefined || given === null ? given : new Date(given).toISOString();
