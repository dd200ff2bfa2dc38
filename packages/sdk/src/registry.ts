// The node registry: find, read, install and publish nodes.
import { blobOf } from "./blob-of.ts";
import { AtelierError } from "./failures.ts";
import type { Node, NodePage, NodeVersion, PublishedNodeVersion, Publisher } from "./generated/wire.ts";
import { readJson } from "./pages.ts";
import { type CallOptions, pickSignal, type Transport } from "./transport.ts";

/** How to search. */
export interface SearchOptions extends CallOptions {
  readonly page?: number;
  readonly limit?: number;
  readonly supportedOs?: string;
  readonly supportedAccelerator?: string;
}

/** What to publish. */
export interface PublishOptions extends CallOptions {
  readonly publisherId: string;
  readonly nodeId: string;
  readonly node?: Partial<Node>;
  readonly version: Partial<NodeVersion> & { readonly version: string };
  /** A publisher token; without one the client's own key is used. */
  readonly token?: string;
  readonly archive: Blob | Uint8Array;
}

/** The node registry: `atelier.registry`. */
export class Registry {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Finds nodes by words; typing errors are forgiven.
   * @example
   * const { nodes } = await atelier.registry.search("image upscale");
   */
  search(words: string, options: SearchOptions = {}): Promise<NodePage> {
    const { page, limit, supportedOs, supportedAccelerator, ...call } = options;
    const query = {
      search: words,
      page,
      limit,
      supported_os: supportedOs,
      supported_accelerator: supportedAccelerator,
    };
    return readJson(this.#transport, "/nodes/search", { ...call, query });
  }

  /** Every node, page by page. */
  async *list(options: CallOptions & { readonly pageSize?: number } = {}): AsyncGenerator<Node, void> {
    const { pageSize, ...call } = options;
    for (let page = 1; ; page++) {
      const answer: NodePage = await readJson(this.#transport, "/nodes", { ...call, query: { page, limit: pageSize } });
      yield* answer.nodes;
      if (page >= answer.totalPages) return;
    }
  }

  get(nodeId: string, options: CallOptions = {}): Promise<Node> {
    return readJson(this.#transport, `/nodes/${encodeURIComponent(nodeId)}`, options);
  }

  versions(nodeId: string, options: CallOptions = {}): Promise<readonly NodeVersion[]> {
    return readJson(this.#transport, `/nodes/${encodeURIComponent(nodeId)}/versions`, options);
  }

  /** The version to install, with its download address. It counts as a download. */
  install(nodeId: string, options: CallOptions & { readonly version?: string } = {}): Promise<NodeVersion> {
    const { version, ...call } = options;
    return readJson(this.#transport, `/nodes/${encodeURIComponent(nodeId)}/install`, { ...call, query: { version } });
  }

  publisher(publisherId: string, options: CallOptions = {}): Promise<Publisher> {
    return readJson(this.#transport, `/publishers/${encodeURIComponent(publisherId)}`, options);
  }

  createPublisher(publisher: Partial<Publisher> & { readonly id: string; readonly name: string }): Promise<Publisher> {
    return readJson(this.#transport, "/publishers", { method: "POST", json: publisher });
  }

  createNode(publisherId: string, node: Partial<Node> & { readonly id: string; readonly name: string }): Promise<Node> {
    const path = `/publishers/${encodeURIComponent(publisherId)}/nodes`;
    return readJson(this.#transport, path, { method: "POST", json: node });
  }

  /** Publishes a version: announces it, uploads the archive, and gives the version with what the checks said. */
  async publish(options: PublishOptions): Promise<NodeVersion> {
    const call = pickSignal(options);
    const path = `/publishers/${encodeURIComponent(options.publisherId)}/nodes/${encodeURIComponent(options.nodeId)}/versions`;
    const json = {
      node: options.node ?? {},
      node_version: options.version,
      ...(options.token === undefined ? {} : { personal_access_token: options.token }),
    };
    const ask = { ...call, method: "POST", json } as const;
    const made = await readJson<PublishedNodeVersion>(this.#transport, path, ask);
    const body = blobOf(options.archive);
    const headers = { "content-type": "application/zip" };
    const upload = { ...call, method: "PUT", body, headers, isRepeatable: true, usualTimeoutMs: 600_000 } as const;
    const verdict: Pick<NodeVersion, "findings" | "status"> = await readJson(this.#transport, made.signedUrl, upload);
    const version = `/nodes/${encodeURIComponent(options.nodeId)}/versions/${encodeURIComponent(made.node_version.version ?? "")}`;
    // A bare token cannot read the findings or a private node later, so we fall back on the answer to the upload.
    const shown = await readJson<NodeVersion>(this.#transport, version, call).catch((thrown: unknown) => {
      if (thrown instanceof AtelierError && (thrown.status === 404 || thrown.status === 401)) return {};
      throw thrown;
    });
    return { ...made.node_version, ...verdict, ...shown };
  }
}
