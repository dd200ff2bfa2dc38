// The routes that read nodes. A caller without a credential gets prepared bytes if there are any; for everyone else we query,
// because they may see more.

import { Readable } from "node:stream";
import { operations, type RegistryNode } from "@atelier/contract";
import { foldedNodeId, type NodeFilter, nobody, type Reader } from "../../capabilities/registry/index.ts";
import {
  type Answer,
  type BytesAnswer,
  type Incoming,
  jsonAnswer,
  type Route,
  route,
} from "../../foundation/http/area.ts";
import { answerPrepared, answerRead, type Prepared, type PreparedAnswers, prepare } from "./prepared-answers.ts";
import { readDumpQuery, readListQuery, readSearchQuery } from "./read-node-query.ts";
import { identifyReader, isAnonymous, type RegistryRouteDeps } from "./registry-caller.ts";
import { RegistryQuery } from "./registry-query.ts";

export interface ReadNodeDeps extends RegistryRouteDeps {
  readonly prepared: PreparedAnswers;
}

type Asking = Incoming<undefined>;

export function getNodeRoute(deps: ReadNodeDeps): Route<undefined> {
  return { operation: operations.getNode, handle: (incoming) => answerNode(deps, incoming) };
}

export function listNodesRoute(deps: ReadNodeDeps): Route<undefined> {
  return {
    operation: operations.listNodes,
    handle: (incoming) => answerPage(deps, incoming, (reader) => listPage(deps, incoming.query, reader)),
  };
}

export function searchNodesRoute(deps: ReadNodeDeps): Route<undefined> {
  return {
    operation: operations.searchNodes,
    handle: (incoming) => answerPage(deps, incoming, (reader) => searchPage(deps, incoming.query, reader)),
  };
}

export function dumpNodesRoute(deps: ReadNodeDeps): Route<undefined> {
  return { operation: operations.dumpNodes, handle: (incoming) => answerDump(deps, incoming) };
}

export function getNodeByDescriptorNameRoute(deps: ReadNodeDeps): Route<undefined> {
  return { operation: operations.getNodeByDescriptorName, handle: (incoming) => answerClass(deps, incoming) };
}

function answerNode(deps: ReadNodeDeps, incoming: Asking): Answer | Promise<Answer> {
  const asked = incoming.params["nodeId"] ?? "";
  if (incoming.queryText === "" && isAnonymous(incoming)) {
    const known = deps.prepared.node(foldedNodeId(asked));
    if (known) return answerSpelled(known, asked, incoming);
  }
  return readNode(deps, asked, incoming);
}

async function readNode(deps: ReadNodeDeps, asked: string, incoming: Asking): Promise<Answer> {
  const query = new RegistryQuery(incoming.query);
  const withTranslations = query.readSwitch("include_translations");
  query.requireNoProblem();
  const beginning = deps.prepared.beginning();
  const reader = await identifyReader(deps, incoming);
  const { nodeId, wire, isForAll } = await deps.registry.reading.node({ nodeId: asked, reader, withTranslations });
  const prepared = prepare(wire, nodeId);
  if (reader === nobody && !withTranslations && isForAll) {
    deps.prepared.keepNode(foldedNodeId(asked), prepared, beginning);
  }
  return answerSpelled(reader === nobody ? prepared : forOne(prepared), asked, incoming);
}

// Clients store what they installed under the node's own spelling, so another spelling is redirected there.
function answerSpelled(prepared: Prepared, asked: string, { queryText, headers }: Asking): BytesAnswer {
  if (prepared.spelling === asked) return answerPrepared(prepared, headers["if-none-match"]);
  const query = queryText === "" ? "" : `?${queryText}`;
  return { status: 302, headers: { location: `/nodes/${prepared.spelling}${query}`, "cache-control": "no-cache" } };
}

// Shared caches must not keep what a credential opened.
function forOne({ full, notModified, ...rest }: Prepared): Prepared {
  const own = { "cache-control": "private, no-cache", vary: "authorization, x-api-key" };
  return {
    ...rest,
    full: { ...full, headers: { ...full.headers, ...own } },
    notModified: { ...notModified, headers: { ...notModified.headers, ...own } },
  };
}

interface ReadPage {
  readonly page: unknown;
  readonly isKept: boolean;
}

function answerPage(
  deps: ReadNodeDeps,
  incoming: Asking,
  read: (reader: Reader) => Promise<ReadPage>,
): Answer | Promise<Answer> {
  const key = `${incoming.path}?${incoming.queryText}`;
  const known = isAnonymous(incoming) ? deps.prepared.page(key) : undefined;
  if (known) return answerPrepared(known, incoming.headers["if-none-match"]);
  return readPage(deps, key, incoming, read);
}

async function readPage(
  deps: ReadNodeDeps,
  key: string,
  incoming: Asking,
  read: (reader: Reader) => Promise<ReadPage>,
): Promise<Answer> {
  const beginning = deps.prepared.beginning();
  const reader = await identifyReader(deps, incoming);
  const { page, isKept } = await read(reader);
  const prepared = prepare(page);
  const isOpen = reader === nobody;
  if (isOpen && isKept) deps.prepared.keepPage(key, prepared, beginning);
  return answerPrepared(isOpen ? prepared : forOne(prepared), incoming.headers["if-none-match"]);
}

async function listPage({ registry }: ReadNodeDeps, query: URLSearchParams, reader: Reader): Promise<ReadPage> {
  const { filter, page, sorts, latest } = readListQuery(query, reader);
  return { page: await registry.reading.listNodes(filter, page, sorts), isKept: !latest };
}

async function searchPage({ registry }: ReadNodeDeps, query: URLSearchParams, reader: Reader): Promise<ReadPage> {
  const { filter, page, text } = readSearchQuery(query, reader);
  return { page: await registry.reading.searchNodes(filter, text, page), isKept: true };
}

async function answerDump(deps: ReadNodeDeps, incoming: Asking): Promise<Answer> {
  const reader = await identifyReader(deps, incoming);
  const filter = readDumpQuery(incoming.query, reader);
  return {
    status: 200,
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
    body: Readable.from(streamLines(deps, filter)),
  };
}

async function* streamLines({ registry }: ReadNodeDeps, filter: NodeFilter): AsyncGenerator<Buffer> {
  for await (const nodes of registry.reading.walkNodes(filter)) {
    yield Buffer.from(nodes.map((node) => `${JSON.stringify(node)}\n`).join(""));
  }
}

async function answerClass(deps: ReadNodeDeps, incoming: Asking): Promise<Answer> {
  const name = incoming.params["svcNodeName"] ?? "";
  const reader = await identifyReader(deps, incoming);
  const { path, queryText } = incoming;
  const answer = await deps.registry.reading.findNodeByClass({ path, queryText, name, reader });
  const held = incoming.headers["if-none-match"];
  if (answer.kind === "upstream") return answerRead(answer, reader, held);
  const prepared = prepare(answer.value);
  return answerPrepared(reader === nobody ? prepared : forOne(prepared), held);
}

export function listPublisherNodesRoute(deps: ReadNodeDeps): Route<undefined> {
  return route(operations.listPublisherNodes, async (incoming) => {
    const filter = await filterOfPublisher(deps, incoming);
    const nodes: RegistryNode[] = [];
    for await (const some of deps.registry.reading.walkNodes(filter)) nodes.push(...some);
    return jsonAnswer(200, nodes, { "cache-control": "no-cache" });
  });
}

export function listPublisherNodesPagedRoute(deps: ReadNodeDeps): Route<undefined> {
  return route(operations.listPublisherNodesPaged, async (incoming) => {
    const filter = await filterOfPublisher(deps, incoming);
    const query = new RegistryQuery(incoming.query);
    const page = query.readPage();
    query.requireNoProblem();
    return jsonAnswer(200, await deps.registry.reading.listNodes(filter, page), { "cache-control": "no-cache" });
  });
}

async function filterOfPublisher(deps: ReadNodeDeps, incoming: Asking): Promise<NodeFilter> {
  const reader = await identifyReader(deps, incoming);
  return deps.registry.reading.ofPublisher(incoming.params["publisherId"] ?? "", reader);
}
