// The works that a key may call, page by page.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { DescribedWork, PriceBounds } from "../../capabilities/works/index.ts";
import type { AnswerMcpDeps } from "./answer-deps.ts";
import { isWorkId, toolOfWork } from "./work-names.ts";

export interface PricedWork extends DescribedWork {
  // What any run can cost. Null if it is too large for a list.
  readonly price: PriceBounds | null;
}

export interface WorkCatalog {
  // Throws if we did not issue the cursor.
  page(cursor: string | undefined): Promise<{ readonly works: readonly PricedWork[]; readonly nextCursor?: string }>;
  // The id of a tool whose name was cut. Null if the caller has no such work.
  find(tool: string): Promise<string | null>;
}

const pageSize = 100;

export function workCatalog(
  { listWorks, priceWorks }: Pick<AnswerMcpDeps, "listWorks" | "priceWorks">,
  caller: Pick<Principal, "workspaceId" | "scopes">,
): WorkCatalog {
  const read = async (after: string | null) =>
    // A key that may not call models has the other tools.
    caller.scopes.includes("models")
      ? await listWorks({ workspaceId: caller.workspaceId, after, limit: pageSize })
      : { works: [], next: null };
  return {
    async page(cursor) {
      const { works, next } = await read(cursor === undefined ? null : positionOf(cursor));
      const ids = works.map(({ id }) => id);
      const prices = ids.length === 0 ? new Map<string, PriceBounds>() : await priceWorks(caller.workspaceId, ids);
      const priced = works.map((work) => ({ ...work, price: prices.get(work.id) ?? null }));
      return { works: priced, ...(next === null ? {} : { nextCursor: Buffer.from(next).toString("base64url") }) };
    },
    async find(tool) {
      for (let after: string | null = null; ; ) {
        const { works, next }: Awaited<ReturnType<typeof read>> = await read(after);
        const found = works.find(({ id }) => toolOfWork(id) === tool);
        if (found || next === null) return found?.id ?? null;
        after = next;
      }
    },
  };
}

// The id at which the page before ended. It gives no access: every page is read as the caller.
function positionOf(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("utf8");
  if (isWorkId(id)) return id;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This cursor is not valid. Start again without a cursor.");
}
