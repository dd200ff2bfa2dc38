// What areas and processes use of the registry.
export { createArchiveChecks } from "./checks/archive-checks.ts";
export { builtInRules } from "./checks/built-in-rules.ts";
export { normalizeVersion } from "./checks/manifest.ts";
export { extendRules, type RuleSet } from "./checks/rule-set.ts";
export { type DescriptorDeps, storeExtraction, updateDescriptor } from "./descriptors/change-descriptors.ts";
export { presentDescriptor, retryExtractions, searchDescriptors } from "./descriptors/descriptor-store.ts";
export { badFields, memberIn } from "./fields/bad-fields.ts";
export { problemsOfTexts, problemsOfTranslations } from "./fields/body-problems.ts";
export type { FieldProblem } from "./fields/field-problem.ts";
export { problemsOfLanguages } from "./fields/translated-languages.ts";
export { readAppVersion } from "./nodes/app-versions.ts";
export { createNode, deleteNode, rateNode, translateNode, updateNode } from "./nodes/change-node.ts";
export { type ClaimDeps, claimNode } from "./nodes/claim-node.ts";
export { isNodeId, noSuchNode, problemsOfNodeId, requireReadableNode } from "./nodes/node-authority.ts";
export { createNodeChanges, type NodeChanges } from "./nodes/node-changes.ts";
export {
  findNode,
  findNodeOfClass,
  findTranslations,
  isNodeSortColumn,
  listNodes,
  type NodeFilter,
  type NodeSort,
  nextNodes,
  nodeSortColumns,
  withRanges,
} from "./nodes/node-store.ts";
export { foldedNodeId, isForAll, type NodeRowId, type StoredNode, warningsIn } from "./nodes/stored-node.ts";
export { addPublisherMember, type MemberDeps, removePublisherMember } from "./publishers/change-members.ts";
export {
  changePublisher,
  createPublisher,
  deletePublisher,
  problemsOfPublisherId,
} from "./publishers/change-publisher.ts";
export { createPublisherToken, endPublisherToken } from "./publishers/change-tokens.ts";
export { listPublisherMembers, type StoredMember } from "./publishers/member-store.ts";
export {
  accessAt,
  isPublisherId,
  noSuchPublisher,
  publisherBanned,
  requirePublisherMember,
  requirePublisherOwner,
  roleAt,
} from "./publishers/publisher-authority.ts";
export { countPublishersOf } from "./publishers/publisher-holdings-store.ts";
export {
  findPublisher,
  isPublisherIdTaken,
  listOwnPublishers,
  listPublishers,
  type StoredPublisher,
} from "./publishers/publisher-store.ts";
export type { ChangeDeps, RegistryActor } from "./readers/actor.ts";
export { nobody, operator, type Reader, readerOf } from "./readers/reader.ts";
export type { Answered, RegistryReader } from "./reading/registry-reader.ts";
export { createRegistry, type Registry } from "./registry.ts";
export { banNode, createNodeAsOperator, movePublisher, reviewNode } from "./review/review-nodes.ts";
export { searchNodes, suggestNodes } from "./search/search-nodes.ts";
export type { ArchiveAddresses } from "./versions/archive-addresses.ts";
export {
  type ChangeVersionDeps,
  deleteVersion,
  reviewVersion,
  undoBatch,
  updateVersion,
} from "./versions/change-version.ts";
export { type CheckDeps, checkWaiting } from "./versions/check-version.ts";
export { type AskedPublish, publishProblems, publishVersion } from "./versions/publish-version.ts";
export { noSuchArchive } from "./versions/read-archive.ts";
export {
  type ReadVersionDeps,
  readReview,
  requireOwnVersion,
  requireVersion,
  show,
  showById,
} from "./versions/read-versions.ts";
export { receiveArchive } from "./versions/receive-archive.ts";
export { versionInvariants } from "./versions/version-invariants-store.ts";
export { listVersionNotes } from "./versions/version-notes-store.ts";
export { listVersions } from "./versions/version-store.ts";
