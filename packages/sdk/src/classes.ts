// Node classes: the building blocks for graphs on this server, deployment or proxy.
import type { NodeClass, NodeClassInput } from "./generated/wire.ts";
import { readJson, walk } from "./pages.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Which classes to list; all of them by default. */
export interface FindClassesOptions extends CallOptions {
  /** Words that must all occur in name, title, category or description. */
  readonly q?: string;
  /** Only this category and those below it. */
  readonly category?: string;
}

/** An input of a class; bounds beyond 2^53 are bigint. */
export interface DescribedInput extends Omit<NodeClassInput, "min" | "max"> {
  readonly min?: number | bigint;
  readonly max?: number | bigint;
}

/** A class that graphs can use here. */
export interface DescribedClass extends Omit<NodeClass, "inputs"> {
  readonly inputs: readonly DescribedInput[];
}

const path = "/api/v2/node-classes";

export class Classes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The classes, page by page; with q, the best matches first.
   * @example
   * for await (const found of atelier.classes.list({ q: "scale image" })) console.log(found.name, found.title);
   */
  list(options: FindClassesOptions & { readonly pageSize?: number } = {}): AsyncGenerator<DescribedClass, void> {
    const { q, category, pageSize, ...call } = options;
    return walk(this.#transport, path, { ...call, query: { q, category, limit: pageSize } });
  }

  /** One class with its inputs, outputs, price and where it runs. */
  get(name: string, options: CallOptions = {}): Promise<DescribedClass> {
    return readJson(this.#transport, `${path}/${encodeURIComponent(name)}`, options);
  }

  /** The application's own description of the classes, by name, as in its GET /object_info. Integers are exact. */
  objectInfo(options: FindClassesOptions = {}): Promise<Readonly<Record<string, unknown>>> {
    const { q, category, ...call } = options;
    return readJson(this.#transport, path, { ...call, query: { q, category, format: "object_info" } });
  }
}
