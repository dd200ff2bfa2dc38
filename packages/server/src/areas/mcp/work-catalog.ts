// The works that a key may call, page by page.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { DescribedWork, Works } from "../../capabilities/works/index.ts";
import { isWorkId, toolOfWork } from "./work-names.ts";

export interface WorkCatalog {
  // Throws if we did not issue the cursor.
  page(cursor: string | undefined): Promise<{ readonly works: readonly DescribedWork[]; readonly nextCursor?: string }>;
  // The id of a tool whose name was cut. Null if the caller has no such work.
  find(tool: string): Promise<string | null>;
}

const pageSize = 100;

export function workCatalog(
  listWorks: Works["callable"],
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
      return { works, ...(next === null ? {} : { nextCursor: Buffer.from(next).toString("base64url") }) };
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
