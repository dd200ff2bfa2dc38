// Finds what a person's text may mean: nodes by words, the node of a class, a publisher.
import type { Queryable } from "../../../foundation/database/index.ts";
import type { Principal } from "../../identity/index.ts";
import { findStoredNodeByClass } from "../nodes/node-store.ts";
import type { StoredNode } from "../nodes/stored-node.ts";
import { isPublisherId } from "../publishers/publisher-authority.ts";
import { findPublisher } from "../publishers/publisher-store.ts";
import { readerOf } from "../readers/reader.ts";
import { suggestNodes } from "../search/search-nodes.ts";

const classNameMax = 200;

export function createFinder({ database }: { readonly database: Queryable }) {
  return {
    async nodes({ principal, text, count }: { principal: Principal; text: string; count: number }) {
      return (await suggestNodes(database, readerOf(principal), text, count)).map(named);
    },
    async findNodeByClass({ principal, name }: { principal: Principal; name: string }) {
      if (name.length > classNameMax) return null;
      const node = await findStoredNodeByClass(database, name, readerOf(principal));
      return node && named(node);
    },
    async publisher({ principal, id }: { principal: Principal; id: string }) {
      const publisher = isPublisherId(id) ? await findPublisher(database, id, readerOf(principal)) : null;
      return publisher && { id: publisher.id, name: publisher.wire.name ?? publisher.id };
    },
  };
}

function named({ nodeId, publisherId, wire }: StoredNode) {
  return { id: nodeId, name: wire.name ?? nodeId, publisher: publisherId };
}
