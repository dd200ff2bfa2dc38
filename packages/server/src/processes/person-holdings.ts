// Every module that holds data of people, in the order of export and erasure. A new table that names people must belong to a module
// on this list, or say on docs/PRIVACY.md why it need not; a test compares that page with the schema.
import { auditPersonHoldings } from "../capabilities/audit/shared-sql.ts";
import { callPersonHoldings } from "../capabilities/calls/shared-sql.ts";
import { editorFilePersonHoldings } from "../capabilities/editor-files/shared-sql.ts";
import { identityPersonHoldings } from "../capabilities/identity/shared-sql.ts";
import { jobPersonHoldings } from "../capabilities/jobs/shared-sql.ts";
import { mailPersonHoldings } from "../capabilities/mail/shared-sql.ts";
import { playgroundRunPersonHoldings } from "../capabilities/playground-runs/shared-sql.ts";
import { publisherPersonHoldings, versionPersonHoldings } from "../capabilities/registry/shared-sql.ts";
import { savedWorkflowPersonHoldings } from "../capabilities/saved-workflows/shared-sql.ts";
import type { PersonHoldings } from "../foundation/database/person-holdings.ts";

export const personHoldings: readonly PersonHoldings[] = [
  identityPersonHoldings,
  callPersonHoldings,
  jobPersonHoldings,
  mailPersonHoldings,
  playgroundRunPersonHoldings,
  editorFilePersonHoldings,
  savedWorkflowPersonHoldings,
  publisherPersonHoldings,
  versionPersonHoldings,
  auditPersonHoldings,
];
