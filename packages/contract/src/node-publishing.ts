// What is sent to and answered by the registry around its entities: pages, publishing, tokens, look-ups, reviews
// and the operators' moves.
import { type Static, Type } from "typebox";
import { limits } from "./limits.ts";
import {
  NodeDescriptor,
  NodeStatus,
  NodeVersion,
  NodeVersionFinding,
  NodeVersionStatus,
  Publisher,
  PublisherId,
  PublisherVisibility,
  pageAddress,
  RegistryNode,
  repositoryAddress,
  UpdateDescriptor,
  UpdateNode,
} from "./node-registry.ts";
import { mapOf, notBlank, OpenObject, Timestamp, Uuid, wordOf } from "./wire-values.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const total = Type.Integer({ minimum: 0, description: "How many there are on all pages." });
const totalPages = Type.Integer({ minimum: 0, description: "How many pages there are." });
const page = Type.Integer({ minimum: 1, description: "The number of this page." });

export const NodePage = Type.Object(
  {
    nodes: Type.Array(RegistryNode),
    total,
    page,
    limit: Type.Integer({ minimum: 1, maximum: limits.registryPageSizeMax, description: "Page size served." }),
    totalPages,
  },
  { title: "NodePage", description: "One page of nodes." },
);
export type NodePage = Static<typeof NodePage>;

export const NodeVersionPage = Type.Object(
  {
    versions: Type.Array(NodeVersion),
    total,
    page,
    pageSize: Type.Integer({ minimum: 1, maximum: limits.registryPageSizeMax, description: "Page size served." }),
    totalPages,
  },
  { title: "NodeVersionPage", description: "One page of versions." },
);
export type NodeVersionPage = Static<typeof NodeVersionPage>;

export const DescriptorPage = Type.Object(
  { svc_nodes: Type.Array(NodeDescriptor), totalNumberOfPages: totalPages },
  { title: "DescriptorPage", description: "One page of the descriptors of a version." },
);
export type DescriptorPage = Static<typeof DescriptorPage>;

export const DescriptorSearchPage = Type.Object(
  { svc_nodes: Type.Array(NodeDescriptor), total },
  { title: "DescriptorSearchPage", description: "One page of descriptors over all nodes." },
);
export type DescriptorSearchPage = Static<typeof DescriptorSearchPage>;

export const RegistryUser = Type.Object(
  {
    id: Type.String({ description: "The person's id." }),
    email: text("The person's e-mail address."),
    name: text("The person's name."),
    isAdmin: Type.Boolean({ description: "Whether the person is an operator." }),
    isApproved: Type.Boolean({ description: "Whether the person may publish." }),
  },
  { title: "RegistryUser", description: "The caller as the registry knows them." },
);
export type RegistryUser = Static<typeof RegistryUser>;

const boundedText = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));
const address = (pattern: string, description: string) =>
  Type.Optional(Type.String({ maxLength: limits.publisherTextLengthMax, pattern, description }));
const publisherName = Type.String({
  minLength: 1,
  pattern: notBlank,
  maxLength: limits.publisherNameLengthMax,
  description: "Display name.",
});
const publisherText = {
  description: boundedText(limits.publisherTextLengthMax, "What the publisher does."),
  logo: address(pageAddress, "URL of the logo, http or https; empty: none."),
  website: address(pageAddress, "URL of the web site, http or https; empty: none."),
  support: boundedText(
    limits.publisherTextLengthMax,
    "Where users find help: an http, https or e-mail address, or plain words without markup.",
  ),
  source_code_repo: address(repositoryAddress, "URL of the source code, or as git writes one; empty: none."),
  visibility: Type.Optional(PublisherVisibility),
};

export const CreatePublisher = Type.Object(
  { id: PublisherId, name: publisherName, ...publisherText },
  { title: "CreatePublisher", description: "A publisher to create; the caller becomes its owner." },
);
export type CreatePublisher = Static<typeof CreatePublisher>;

export const UpdatePublisher = Type.Object(
  { name: Type.Optional(publisherName), ...publisherText },
  { title: "UpdatePublisher", description: "What changes; absent fields stay." },
);
export type UpdatePublisher = Static<typeof UpdatePublisher>;

export const PublisherList = Type.Array(Publisher, { title: "PublisherList", description: "Publishers." });
export type PublisherList = Static<typeof PublisherList>;

export const PublisherAvailability = Type.Object(
  { isAvailable: Type.Boolean({ description: "Whether the id is free." }) },
  { title: "PublisherAvailability", description: "Whether a publisher id can be taken." },
);
export type PublisherAvailability = Static<typeof PublisherAvailability>;

export const EditPermission = Type.Object(
  { canEdit: Type.Boolean({ description: "Whether the caller may change it." }) },
  { title: "EditPermission", description: "What the caller may do." },
);
export type EditPermission = Static<typeof EditPermission>;

export const CreatePublisherMember = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 320, description: "Whom to invite." }),
    role: Type.Optional(wordOf(["owner", "member"], { default: "member", description: "What they may do." })),
  },
  { title: "CreatePublisherMember", description: "A person who shall act for the publisher." },
);
export type CreatePublisherMember = Static<typeof CreatePublisherMember>;

const tokenFields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "What the token is for." }),
  description: boundedText(limits.publisherTextLengthMax, "More about it."),
};

export const CreatePublisherToken = Type.Object(
  { ...tokenFields, expires_at: Type.Optional(Timestamp) },
  { title: "CreatePublisherToken", description: "A token for publishing." },
);
export type CreatePublisherToken = Static<typeof CreatePublisherToken>;

export const PublisherToken = Type.Object(
  {
    id: Uuid,
    ...tokenFields,
    token: Type.String({ description: "The first characters and asterisks." }),
    createdAt: Timestamp,
    last_used_at: Type.Union([Timestamp, Type.Null()]),
    expires_at: Type.Union([Timestamp, Type.Null()]),
  },
  { title: "PublisherToken", description: "A token for publishing, masked." },
);
export type PublisherToken = Static<typeof PublisherToken>;

export const CreatedPublisherToken = Type.Object(
  { id: Uuid, token: Type.String({ description: "The token itself, shown this one time." }) },
  { title: "CreatedPublisherToken", description: "A new token." },
);
export type CreatedPublisherToken = Static<typeof CreatedPublisherToken>;

export const PublishNodeVersion = Type.Object(
  {
    personal_access_token: Type.Optional(
      Type.String({ description: "A publisher token; not needed with a bearer credential of a member." }),
    ),
    // Publishing tools send empty texts for what is not set: they say nothing.
    node: Type.Optional(
      Type.Object({
        ...UpdateNode.properties,
        id: Type.Optional(Type.String({ maxLength: limits.nodeIdLengthMax, description: "The node's id." })),
        name: Type.Optional(
          Type.String({ maxLength: limits.nodeNameLengthMax, pattern: `^$|${notBlank}`, description: "Display name." }),
        ),
      }),
    ),
    node_version: Type.Object({
      version: Type.String({
        minLength: 1,
        maxLength: 100,
        description: "A semantic version; 1, 1.2 and v1.2.3 are read as such.",
      }),
      changelog: boundedText(limits.nodeChangelogLengthMax, "What changed."),
      dependencies: Type.Optional(
        Type.Array(Type.String({ maxLength: 1_000 }), {
          maxItems: limits.nodeDependenciesMax,
          description: "Packages it needs.",
        }),
      ),
      tags: UpdateNode.properties.tags,
      supported_accelerators: UpdateNode.properties.supported_accelerators,
      supported_os: UpdateNode.properties.supported_os,
      supported_app_version: UpdateNode.properties.supported_app_version,
      supported_app_frontend_version: UpdateNode.properties.supported_app_frontend_version,
    }),
  },
  { title: "PublishNodeVersion", description: "A version to publish, and what its node says about itself." },
);
export type PublishNodeVersion = Static<typeof PublishNodeVersion>;

export const PublishedNodeVersion = Type.Object(
  {
    node_version: NodeVersion,
    signedUrl: Type.String({ format: "uri", description: "PUT the archive here; it answers 200." }),
  },
  { title: "PublishedNodeVersion", description: "The version, waiting for its archive." },
);
export type PublishedNodeVersion = Static<typeof PublishedNodeVersion>;

export const UploadedArchive = Type.Object(
  {
    size_bytes: Type.Integer({ minimum: 0, description: "Bytes that are stored." }),
    status: Type.Optional(NodeVersionStatus),
    findings: Type.Optional(
      Type.Array(NodeVersionFinding, { description: "Of a node archive: what the checks found in it." }),
    ),
  },
  { title: "UploadedArchive", description: "What was stored and, for a node archive, the verdict on it." },
);
export type UploadedArchive = Static<typeof UploadedArchive>;

export const UpdateNodeVersion = Type.Object(
  {
    changelog: boundedText(limits.nodeChangelogLengthMax, "What changed."),
    deprecated: Type.Optional(Type.Boolean({ description: "Advises against the version." })),
    tags: UpdateNode.properties.tags,
  },
  { title: "UpdateNodeVersion", description: "What changes; absent fields stay. The archive never does." },
);
export type UpdateNodeVersion = Static<typeof UpdateNodeVersion>;

export const NodeVersionIdentifier = Type.Object(
  { node_id: Type.String({ minLength: 1 }), version: Type.String({ minLength: 1 }) },
  { title: "NodeVersionIdentifier", description: "Names one version." },
);

export type NodeVersionIdentifier = Static<typeof NodeVersionIdentifier>;

export const BulkNodeVersionsRequest = Type.Object(
  { node_versions: Type.Array(NodeVersionIdentifier, { minItems: 1, maxItems: 1_000 }) },
  { title: "BulkNodeVersionsRequest", description: "Versions to look up in one call." },
);
export type BulkNodeVersionsRequest = Static<typeof BulkNodeVersionsRequest>;

export const BulkNodeVersions = Type.Object(
  {
    node_versions: Type.Array(
      Type.Object({
        identifier: NodeVersionIdentifier,
        status: wordOf(["success", "not_found", "error"]),
        node_version: Type.Optional(NodeVersion),
        error_message: text("Why it could not be answered."),
      }),
    ),
  },
  { title: "BulkNodeVersions", description: "An answer for every version asked for, in the same order." },
);
export type BulkNodeVersions = Static<typeof BulkNodeVersions>;

export const ExtractedDescriptors = Type.Object(
  {
    success: Type.Optional(Type.Boolean({ description: "False: the extraction failed." })),
    status: text("The extractor's own word for the outcome."),
    reason: text("Why it failed."),
    cloud_build_info: Type.Optional(OpenObject),
    nodes: Type.Optional(mapOf(UpdateDescriptor, { description: "Descriptors by name." })),
  },
  { title: "ExtractedDescriptors", description: "All descriptors of a version, as an extractor found them." },
);
export type ExtractedDescriptors = Static<typeof ExtractedDescriptors>;

export const NodeTranslations = Type.Object(
  {
    data: mapOf(OpenObject, {
      description:
        "The node's texts, by language: at most 100 languages in all, each a tag such as fr or pt-BR of at most 35 characters.",
    }),
  },
  { title: "NodeTranslations", description: "The node's texts in other languages." },
);
export type NodeTranslations = Static<typeof NodeTranslations>;

export const ClaimNode = Type.Object(
  { GH_TOKEN: Type.String({ minLength: 1, description: "A code-host token that proves rights on the repository." }) },
  { title: "ClaimNode", description: "Proof that the caller owns the node's repository." },
);
export type ClaimNode = Static<typeof ClaimNode>;

export const BanReason = Type.Object(
  { reason: boundedText(limits.publisherTextLengthMax, "Why; told to the publisher.") },
  { title: "BanReason", description: "Why something is banned." },
);
export type BanReason = Static<typeof BanReason>;

export const ReviewNode = Type.Object(
  {
    ...UpdateNode.properties,
    status: Type.Optional(NodeStatus),
    status_detail: boundedText(limits.publisherTextLengthMax, "Why; told to the publisher."),
    tags_admin: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: limits.nodeTagsMax })),
    search_ranking: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    preempted_svc_node_names: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1_000 })),
  },
  { title: "ReviewNode", description: "What an operator changes in a node; absent fields stay." },
);
export type ReviewNode = Static<typeof ReviewNode>;

export const ReviewNodeVersion = Type.Object(
  {
    status: Type.Optional(NodeVersionStatus),
    status_reason: boundedText(limits.publisherTextLengthMax, "Why; told to the publisher."),
    batch_id: Type.Optional(
      Type.String({
        format: "uuid",
        description: "Names moves that can be taken back together; the caller chooses it.",
      }),
    ),
    tags_admin: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: limits.nodeTagsMax })),
    supported_accelerators: UpdateNode.properties.supported_accelerators,
    supported_os: UpdateNode.properties.supported_os,
    supported_app_version: UpdateNode.properties.supported_app_version,
    supported_app_frontend_version: UpdateNode.properties.supported_app_frontend_version,
  },
  { title: "ReviewNodeVersion", description: "What an operator decides about a version; absent fields stay." },
);
export type ReviewNodeVersion = Static<typeof ReviewNodeVersion>;

export const NodeVersionMove = Type.Object(
  {
    at: Timestamp,
    status_before: NodeVersionStatus,
    status_after: NodeVersionStatus,
    reason: text("Why."),
    by: wordOf(["admin", "publisher", "checks", "registry"], { description: "Who moved it." }),
    name: text("What the operator is called; shown to operators."),
    batch_id: Type.Optional(Uuid),
  },
  { title: "NodeVersionMove", description: "One change of a version's status." },
);
export type NodeVersionMove = Static<typeof NodeVersionMove>;

export const NodeVersionReview = Type.Object(
  {
    node_version: NodeVersion,
    rule_set: text("The version of the rules that gave the verdict."),
    checked_at: Type.Union([Timestamp, Type.Null()]),
    findings: Type.Array(NodeVersionFinding, { description: "What the checks found." }),
    history: Type.Array(NodeVersionMove, { description: "Every change of its status, oldest first." }),
  },
  { title: "NodeVersionReview", description: "How a version came to its status." },
);
export type NodeVersionReview = Static<typeof NodeVersionReview>;

export const GeneratedToken = Type.Object(
  { token: Type.String(), expires_at: Timestamp },
  { title: "GeneratedToken", description: "A short-lived operator token." },
);
export type GeneratedToken = Static<typeof GeneratedToken>;
