// Who uses the editor: a browser that is signed in, and what it may open.
import type { IdentityPrincipal, Session } from "../../capabilities/identity/index.ts";
import type { Arrival } from "../../foundation/http/area.ts";

// Null for a visitor who is signed out.
export type Visitor = Session | null;

export interface EditorPeople {
  visitor(arrival: Pick<Arrival, "headers">): Promise<Visitor>;
  // The person in this workspace, which the address names. Null if they are no member, or there is none.
  memberOf(session: Session, workspace: string): Promise<IdentityPrincipal | null>;
}
