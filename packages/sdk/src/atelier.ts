// The client: one address, one key, everything the platform serves.

import { Assets } from "./assets.ts";
import { Classes } from "./classes.ts";
import { Estimates } from "./estimates.ts";
import { Jobs } from "./jobs.ts";
import { Requests } from "./model-requests.ts";
import { Models } from "./models.ts";
import { Partners } from "./partners.ts";
import { Registry } from "./registry.ts";
import { SavedWorkflows } from "./saved-workflows.ts";
import { type AtelierOptions, type CallOptions, createTransport, type Transport } from "./transport.ts";
import { Works } from "./works/works.ts";
import { Budgets } from "./workspace/budgets.ts";
import { Routes } from "./workspace/routes.ts";
import { Tokens } from "./workspace/tokens.ts";

/**
 * A client of one Atelier server, deployment or self-hosted proxy.
 * @example
 * const atelier = new Atelier(); // ATELIER_URL, ATELIER_API_KEY
 * const { data } = await atelier.models.run("sandbox/text-1", { prompt: "a haiku about tea" });
 */
export class Atelier {
  readonly models: Models;
  readonly requests: Requests;
  readonly jobs: Jobs;
  readonly assets: Assets;
  readonly estimates: Estimates;
  readonly classes: Classes;
  readonly workflows: SavedWorkflows;
  readonly works: Works;
  readonly partners: Partners;
  readonly registry: Registry;
  readonly budgets: Budgets;
  readonly tokens: Tokens;
  readonly routes: Routes;
  readonly #transport: Transport;

  constructor(options: AtelierOptions = {}) {
    const transport = createTransport(options);
    this.#transport = transport;
    this.models = new Models(transport);
    this.requests = new Requests(transport);
    this.assets = new Assets(transport, options.hashBlob);
    this.jobs = new Jobs(transport, this.assets);
    this.estimates = new Estimates(transport);
    this.classes = new Classes(transport);
    this.workflows = new SavedWorkflows(transport);
    this.works = new Works(transport);
    this.partners = new Partners(transport);
    this.registry = new Registry(transport);
    this.budgets = new Budgets(transport);
    this.tokens = new Tokens(transport);
    this.routes = new Routes(transport);
  }

  /** Where it talks to. */
  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /**
   * Any other operation of the server: the path, and what to send. Failures are the same typed ones.
   * @example
   * const account = await (await atelier.request("/account")).json();
   */
  request(
    path: string,
    options: CallOptions & {
      readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
      readonly json?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly query?: Readonly<Record<string, string | number | undefined>>;
    } = {},
  ): Promise<Response> {
    return this.#transport.send(path, options);
  }
}
