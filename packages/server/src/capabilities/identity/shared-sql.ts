// SQL of this module that others run in their own transaction or put into their own statement. No area imports it.
export { forgetWorkspaceName, identityHoldings, lockWorkspaceToDelete } from "./identity-holdings-store.ts";
export { alertReaders, peopleFacts } from "./people/member-store.ts";
export {
  type ErasedHoldings,
  eraseIdentityOf,
  findKeyIdsOf,
  findWorkspacesOwnedAlone,
  identityPersonHoldings,
  lockPersonToErase,
} from "./people/person-holdings-store.ts";
export { listWorkspaces, lockWorkspace } from "./workspace-store.ts";
