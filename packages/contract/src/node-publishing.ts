// What the registry receives and answers besides its entities: pages, publishing, tokens, look-ups, reviews and the operators'
// moves.
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
import { entity, mapOf, notBlank, nullable, OpenObject, Timestamp, Uuid, wordOf } from "./wire-values.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const total = Type.Integer({ minimum: 0, description: "How many there are on all pages." });
const totalPages = Type.Integer({ minimum: 0, description: "How many pages there are." });
const page = Type.Integer({ minimum: 1, description: "The number of this page." });

export const NodePage = entity("NodePage", "One page of nodes.", {
  nodes: Type.Array(RegistryNode),
  total,
  page,
  limit: Type.Integer({ minimum: 1, maximum: limits.registryPageSizeMax, description: "Page size served." }),
  totalPages,
});
export type NodePage = Static<typeof NodePage>;

export const NodeVersionPage = entity("NodeVersionPage", "One page of versions.", {
  versions: Type.Array(NodeVersion),
  total,
  page,
  pageSize: Type.Integer({ minimum: 1, maximum: limits.registryPageSizeMax, description: "Page size served." }),
  totalPages,
});
export type NodeVersionPage = Static<typeof NodeVersionPage>;

export const DescriptorPage = entity("DescriptorPage", "One page of the descriptors of a version.", {
  svc_nodes: Type.Array(NodeDescriptor),
  totalNumberOfPages: totalPages,
});
export type DescriptorPage = Static<typeof DescriptorPage>;

export const DescriptorSearchPage = entity("DescriptorSearchPage", "One page of descriptors over all nodes.", {
  svc_nodes: Type.Array(NodeDescriptor),
  total,
});
export type DescriptorSearchPage = Static<typeof DescriptorSearchPage>;

export const RegistryUser = entity("RegistryUser", "The caller as the registry knows them.", {
  id: Type.String({ description: "The person's id." }),
  email: text("The person's e-mail address."),
  name: text("The person's name."),
  isAdmin: Type.Boolean({ description: "Whether the person is an operator." }),
  isApproved: Type.Boolean({ description: "Whether the person may publish." }),
});
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

export const CreatePublisher = entity("CreatePublisher", "A publisher to create; the caller becomes its owner.", {
  id: PublisherId,
  name: publisherName,
  ...publisherText,
});
export type CreatePublisher = Static<typeof CreatePublisher>;

export const UpdatePublisher = entity("UpdatePublisher", "What changes; absent fields stay.", {
  name: Type.Optional(publisherName),
  ...publisherText,
});
export type UpdatePublisher = Static<typeof UpdatePublisher>;

export const PublisherList = Type.Array(Publisher, { title: "PublisherList", description: "Publishers." });
export type PublisherList = Static<typeof PublisherList>;

export const PublisherAvailability = entity("PublisherAvailability", "Whether a publisher id can be taken.", {
  isAvailable: Type.Boolean({ description: "Whether the id is free." }),
});
export type PublisherAvailability = Static<typeof PublisherAvailability>;

export const EditPermission = entity("EditPermission", "What the caller may do.", {
  canEdit: Type.Boolean({ description: "Whether the caller may change it." }),
});
export type EditPermission = Static<typeof EditPermission>;

export const CreatePublisherMember = entity("CreatePublisherMember", "A person who shall act for the publisher.", {
  email: Type.String({ minLength: 3, maxLength: 320, description: "Whom to invite." }),
  role: Type.Optional(wordOf(["owner", "member"], { default: "member", description: "What they may do." })),
});
export type CreatePublisherMember = Static<typeof CreatePublisherMember>;

const tokenFields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "What the token is for." }),
  description: boundedText(limits.publisherTextLengthMax, "More about it."),
};

export const CreatePublisherToken = entity("CreatePublisherToken", "A token for publishing.", {
  ...tokenFields,
  expires_at: Type.Optional(Timestamp),
});
export type CreatePublisherToken = Static<typeof CreatePublisherToken>;

export const PublisherToken = entity("PublisherToken", "A token for publishing, masked.", {
  id: Uuid,
  ...tokenFields,
  token: Type.String({ description: "The first characters and asterisks." }),
  createdAt: Timestamp,
  last_used_at: nullable(Timestamp),
  expires_at: nullable(Timestamp),
});
export type PublisherToken = Static<typeof PublisherToken>;

export const CreatedPublisherToken = entity("CreatedPublisherToken", "A new token.", {
  id: Uuid,
  token: Type.String({ description: "The token itself, shown this one time." }),
});
export type CreatedPublisherToken = Static<typeof CreatedPublisherToken>;

export const PublishNodeVersion = entity(
  "PublishNodeVersion",
  "A version to publish, and what its node says about itself.",
  {
    personal_access_token: Type.Optional(
      Type.String({ description: "A publisher token; not needed with a bearer credential of a member." }),
    ),
    // Publishing tools send an empty string for anything that is not set, so empty means absent.
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
);
export type PublishNodeVersion = Static<typeof PublishNodeVersion>;

export const PublishedNodeVersion = entity("PublishedNodeVersion", "The version, waiting for its archive.", {
  node_version: NodeVersion,
  signedUrl: Type.String({ format: "uri", description: "PUT the archive here; it answers 200." }),
});
export type PublishedNodeVersion = Static<typeof PublishedNodeVersion>;

export const UploadedArchive = entity(
  "UploadedArchive",
  "What was stored and, for a node archive, the verdict on it.",
  {
    size_bytes: Type.Integer({ minimum: 0, description: "Bytes that are stored." }),
    status: Type.Optional(NodeVersionStatus),
    findings: Type.Optional(
      Type.Array(NodeVersionFinding, { description: "Of a node archive: what the checks found in it." }),
    ),
  },
);
export type UploadedArchive = Static<typeof UploadedArchive>;

export const UpdateNodeVersion = entity(
  "UpdateNodeVersion",
  "What changes; absent fields stay. The archive never does.",
  {
    changelog: boundedText(limits.nodeChangelogLengthMax, "What changed."),
    deprecated: Type.Optional(
      Type.Boolean({ description: "Advises against the version; false takes it back, with its dates." }),
    ),
    sunset_at: Type.Optional(
      Type.String({
        format: "date-time",
        description: "When a deprecated version is taken away; told to those who install it.",
      }),
    ),
    tags: UpdateNode.properties.tags,
  },
);
export type UpdateNodeVersion = Static<typeof UpdateNodeVersion>;

export const NodeVersionIdentifier = entity("NodeVersionIdentifier", "Names one version.", {
  node_id: Type.String({ minLength: 1 }),
  version: Type.String({ minLength: 1 }),
});

export type NodeVersionIdentifier = Static<typeof NodeVersionIdentifier>;

export const BulkNodeVersionsRequest = entity("BulkNodeVersionsRequest", "Versions to look up in one call.", {
  node_versions: Type.Array(NodeVersionIdentifier, { minItems: 1, maxItems: 1_000 }),
});
export type BulkNodeVersionsRequest = Static<typeof BulkNodeVersionsRequest>;

export const BulkNodeVersions = entity(
  "BulkNodeVersions",
  "An answer for every version asked for, in the same order.",
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
);
export type BulkNodeVersions = Static<typeof BulkNodeVersions>;

export const ExtractedDescriptors = entity(
  "ExtractedDescriptors",
  "All descriptors of a version, as an extractor found them.",
  {
    success: Type.Optional(Type.Boolean({ description: "False: the extraction failed." })),
    status: text("The extractor's own word for the outcome."),
    reason: text("Why it failed."),
    cloud_build_info: Type.Optional(OpenObject),
    nodes: Type.Optional(mapOf(UpdateDescriptor, { description: "Descriptors by name." })),
  },
);
export type ExtractedDescriptors = Static<typeof ExtractedDescriptors>;

export const NodeTranslations = entity("TranslationsOfNode", "The node's texts in other languages.", {
  data: mapOf(OpenObject, {
    description:
      "The node's texts, by language: at most 100 languages in all, each a tag such as fr or pt-BR of at most 35 characters.",
  }),
});
export type NodeTranslations = Static<typeof NodeTranslations>;

export const ClaimNode = entity("ClaimNode", "Proof that the caller owns the node's repository.", {
  GH_TOKEN: Type.String({ minLength: 1, description: "A code-host token that proves rights on the repository." }),
});
export type ClaimNode = Static<typeof ClaimNode>;

export const BanReason = entity("BanReason", "Why something is banned.", {
  reason: boundedText(limits.publisherTextLengthMax, "Why; told to the publisher."),
});
export type BanReason = Static<typeof BanReason>;

export const ReviewNode = entity("ReviewNode", "What an operator changes in a node; absent fields stay.", {
  ...UpdateNode.properties,
  status: Type.Optional(NodeStatus),
  status_detail: boundedText(limits.publisherTextLengthMax, "Why; told to the publisher."),
  tags_admin: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: limits.nodeTagsMax })),
  search_ranking: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  preempted_svc_node_names: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1_000 })),
});
export type ReviewNode = Static<typeof ReviewNode>;

export const ReviewNodeVersion = entity(
  "ReviewNodeVersion",
  "What an operator decides about a version; absent fields stay.",
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
);
export type ReviewNodeVersion = Static<typeof ReviewNodeVersion>;

export const NodeVersionMove = entity("NodeVersionMove", "One change of a version's status.", {
  at: Timestamp,
  status_before: NodeVersionStatus,
  status_after: NodeVersionStatus,
  reason: text("Why."),
  by: wordOf(["admin", "publisher", "checks", "registry"], { description: "Who moved it." }),
  name: text("What the operator is called; shown to operators."),
  batch_id: Type.Optional(Uuid),
});
export type NodeVersionMove = Static<typeof NodeVersionMove>;

export const NodeVersionReview = entity("NodeVersionReview", "How a version came to its status.", {
  node_version: NodeVersion,
  rule_set: text("The version of the rules that gave the verdict."),
  checked_at: nullable(Timestamp),
  findings: Type.Array(NodeVersionFinding, { description: "What the checks found." }),
  history: Type.Array(NodeVersionMove, { description: "Every change of its status, oldest first." }),
});
export type NodeVersionReview = Static<typeof NodeVersionReview>;

export const GeneratedToken = entity("GeneratedToken", "A short-lived operator token.", {
  token: Type.String(),
  expires_at: Timestamp,
});
export type GeneratedToken = Static<typeof GeneratedToken>;
