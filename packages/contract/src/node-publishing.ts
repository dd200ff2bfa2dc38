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
const total = Type.Integer({ minimum: 0, description: "The total across all pages." });
const totalPages = Type.Integer({ minimum: 0, description: "How many pages there are." });
const page = Type.Integer({ minimum: 1, description: "The number of this page." });

export const NodePage = entity("NodePage", "One page of nodes.", {
  nodes: Type.Array(RegistryNode),
  total,
  page,
  limit: Type.Integer({ minimum: 1, maximum: limits.registryPageSizeMax, description: "The page size that was used." }),
  totalPages,
});
export type NodePage = Static<typeof NodePage>;

export const NodeVersionPage = entity("NodeVersionPage", "One page of versions.", {
  versions: Type.Array(NodeVersion),
  total,
  page,
  pageSize: Type.Integer({
    minimum: 1,
    maximum: limits.registryPageSizeMax,
    description: "The page size that was used.",
  }),
  totalPages,
});
export type NodeVersionPage = Static<typeof NodeVersionPage>;

export const DescriptorPage = entity("DescriptorPage", "One page of the descriptors of a version.", {
  svc_nodes: Type.Array(NodeDescriptor),
  totalNumberOfPages: totalPages,
});
export type DescriptorPage = Static<typeof DescriptorPage>;

export const DescriptorSearchPage = entity("DescriptorSearchPage", "One page of the descriptors of all nodes.", {
  svc_nodes: Type.Array(NodeDescriptor),
  total,
});
export type DescriptorSearchPage = Static<typeof DescriptorSearchPage>;

export const RegistryUser = entity("RegistryUser", "The caller's registry account.", {
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
  logo: address(pageAddress, "URL of the logo, http or https. Empty for none."),
  website: address(pageAddress, "URL of the website, http or https. Empty for none."),
  support: boundedText(
    limits.publisherTextLengthMax,
    "Where users find help: an http or https URL, an e-mail address, or plain text without markup.",
  ),
  source_code_repo: address(repositoryAddress, "URL of the source code, or git's short form. Empty for none."),
  visibility: Type.Optional(PublisherVisibility),
};

export const CreatePublisher = entity("CreatePublisher", "A publisher to create; the caller becomes its owner.", {
  id: PublisherId,
  name: publisherName,
  ...publisherText,
});
export type CreatePublisher = Static<typeof CreatePublisher>;

export const UpdatePublisher = entity("UpdatePublisher", "The fields to change. Omitted fields stay as they are.", {
  name: Type.Optional(publisherName),
  ...publisherText,
});
export type UpdatePublisher = Static<typeof UpdatePublisher>;

export const PublisherList = Type.Array(Publisher, { title: "PublisherList", description: "Publishers." });

export const PublisherAvailability = entity("PublisherAvailability", "Whether a publisher id is available.", {
  isAvailable: Type.Boolean({ description: "Whether the id is free." }),
});
export type PublisherAvailability = Static<typeof PublisherAvailability>;

export const EditPermission = entity("EditPermission", "The caller's permissions.", {
  canEdit: Type.Boolean({ description: "Whether the caller may change it." }),
});
export type EditPermission = Static<typeof EditPermission>;

export const CreatePublisherMember = entity("CreatePublisherMember", "A person to add to the publisher.", {
  email: Type.String({ minLength: 3, maxLength: 320, description: "The person to invite." }),
  role: Type.Optional(wordOf(["owner", "member"], { default: "member", description: "What they may do." })),
});

const tokenFields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "What the token is for." }),
  description: boundedText(limits.publisherTextLengthMax, "A longer description."),
};

export const CreatePublisherToken = entity("CreatePublisherToken", "A publishing token.", {
  ...tokenFields,
  expires_at: Type.Optional(Timestamp),
});

export const PublisherToken = entity("PublisherToken", "A publishing token, masked.", {
  id: Uuid,
  ...tokenFields,
  token: Type.String({ description: "The first characters, followed by asterisks." }),
  createdAt: Timestamp,
  last_used_at: nullable(Timestamp),
  expires_at: nullable(Timestamp),
});
export type PublisherToken = Static<typeof PublisherToken>;

export const CreatedPublisherToken = entity("CreatedPublisherToken", "A new token.", {
  id: Uuid,
  token: Type.String({ description: "The token itself, shown only once." }),
});
export type CreatedPublisherToken = Static<typeof CreatedPublisherToken>;

export const PublishNodeVersion = entity("PublishNodeVersion", "A version to publish, and the metadata of its node.", {
  personal_access_token: Type.Optional(
    Type.String({ description: "A publisher token. Not needed with a member's bearer token." }),
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
      description: "A semantic version. 1, 1.2 and v1.2.3 are accepted too.",
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
});
export type PublishNodeVersion = Static<typeof PublishNodeVersion>;

export const PublishedNodeVersion = entity("PublishedNodeVersion", "The version, waiting for its archive.", {
  node_version: NodeVersion,
  signedUrl: Type.String({ format: "uri", description: "PUT the archive here. Returns 200." }),
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

export const UpdateNodeVersion = entity(
  "UpdateNodeVersion",
  "The fields to change. Omitted fields stay as they are. The archive cannot change.",
  {
    changelog: boundedText(limits.nodeChangelogLengthMax, "What changed."),
    deprecated: Type.Optional(
      Type.Boolean({ description: "Deprecates the version. false undoes that and clears the dates." }),
    ),
    sunset_at: Type.Optional(
      Type.String({
        format: "date-time",
        description: "When a deprecated version will be removed. Shown to people who install it.",
      }),
    ),
    tags: UpdateNode.properties.tags,
  },
);
export type UpdateNodeVersion = Static<typeof UpdateNodeVersion>;

export const AppealNodeVersion = entity("AppealNodeVersion", "The publisher's answer to the findings.", {
  reason: Type.String({
    minLength: 1,
    maxLength: limits.publisherTextLengthMax,
    pattern: notBlank,
    description: "Why the findings are harmless. Operators read it before they decide.",
  }),
});

export const NodeReadme = entity("NodeReadme", "The readme that a version's archive contains.", {
  file: Type.String({ description: "Its name in the archive." }),
  text: Type.String({ description: "Its text, without control characters. Usually Markdown." }),
  truncated: Type.Boolean({ description: "Whether the end was left out because the file is long." }),
});
export type NodeReadme = Static<typeof NodeReadme>;

const codeUse = {
  kind: Type.String({ description: "network, processes, files, code, native or environment." }),
  at_import: Type.Boolean({
    description: "Whether it happens when the application loads the node, without anybody running it.",
  }),
  name: Type.String({ description: "What is used, for example requests.get." }),
  file: Type.String({ description: "The file." }),
  line: Type.Optional(Type.Integer({ minimum: 1, description: "The line. Absent for compiled files." })),
  within: Type.Optional(Type.String({ description: "The function. Absent at the top of a module." })),
};

export const NodeCapabilities = entity(
  "NodeCapabilities",
  "What the code of a version can do, where, and what is new since another version.",
  {
    version: Type.String({ description: "The version." }),
    capabilities: Type.Array(Type.String(), { description: "In words, as the version itself lists them." }),
    uses: Type.Array(Type.Object(codeUse), { description: "Every place, by file and line." }),
    compared_with: Type.Optional(
      Type.String({ description: "The version it is compared with. Absent if there is no earlier one." }),
    ),
    added: Type.Array(
      Type.Object({
        ...codeUse,
        is_new_kind: Type.Boolean({ description: "Whether the other version cannot do this anywhere." }),
        text: Type.String({ description: "In a sentence." }),
      }),
      { description: "Places that the other version does not have, new capabilities first." },
    ),
    removed: Type.Array(Type.Object(codeUse), { description: "Places that only the other version has." }),
  },
);
export type NodeCapabilities = Static<typeof NodeCapabilities>;

export const NodeVersionIdentifier = entity("NodeVersionIdentifier", "Identifies one version.", {
  node_id: Type.String({ minLength: 1 }),
  version: Type.String({ minLength: 1 }),
});

export const BulkNodeVersionsRequest = entity("BulkNodeVersionsRequest", "Versions to look up in one call.", {
  node_versions: Type.Array(NodeVersionIdentifier, { minItems: 1, maxItems: 1_000 }),
});

export const BulkNodeVersions = entity("BulkNodeVersions", "A result for every requested version, in the same order.", {
  node_versions: Type.Array(
    Type.Object({
      identifier: NodeVersionIdentifier,
      status: wordOf(["success", "not_found", "error"]),
      node_version: Type.Optional(NodeVersion),
      error_message: text("Why the lookup failed."),
    }),
  ),
});
export type BulkNodeVersions = Static<typeof BulkNodeVersions>;

export const ExtractedDescriptors = entity(
  "ExtractedDescriptors",
  "All descriptors of a version, as found by an extractor.",
  {
    success: Type.Optional(Type.Boolean({ description: "false: the extraction failed." })),
    status: text("The extractor's own status."),
    reason: text("Why it failed."),
    cloud_build_info: Type.Optional(OpenObject),
    nodes: Type.Optional(mapOf(UpdateDescriptor, { description: "Descriptors by name." })),
  },
);

export const NodeTranslations = entity("TranslationsOfNode", "The node's translations.", {
  data: mapOf(OpenObject, {
    description:
      "Translations by language: at most 100 languages in total, each a tag such as fr or pt-BR of at most 35 characters.",
  }),
});
export type NodeTranslations = Static<typeof NodeTranslations>;

export const ClaimNode = entity("ClaimNode", "Proof that the caller owns the node's repository.", {
  GH_TOKEN: Type.String({ minLength: 1, description: "A code-host token that proves access to the repository." }),
});

export const BanReason = entity("BanReason", "Why something is banned.", {
  reason: boundedText(limits.publisherTextLengthMax, "The reason. The publisher can see it."),
});

export const ReviewNode = entity("ReviewNode", "An operator's changes to a node. Omitted fields stay as they are.", {
  ...UpdateNode.properties,
  status: Type.Optional(NodeStatus),
  status_detail: boundedText(limits.publisherTextLengthMax, "The reason. The publisher can see it."),
  tags_admin: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: limits.nodeTagsMax })),
  search_ranking: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  preempted_svc_node_names: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1_000 })),
});

export const ReviewNodeVersion = entity(
  "ReviewNodeVersion",
  "An operator's decision about a version. Omitted fields stay as they are.",
  {
    status: Type.Optional(NodeVersionStatus),
    status_reason: boundedText(limits.publisherTextLengthMax, "The reason. The publisher can see it."),
    batch_id: Type.Optional(
      Type.String({
        format: "uuid",
        description: "Groups changes that can be undone together. The caller chooses it.",
      }),
    ),
    tags_admin: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: limits.nodeTagsMax })),
    supported_accelerators: UpdateNode.properties.supported_accelerators,
    supported_os: UpdateNode.properties.supported_os,
    supported_app_version: UpdateNode.properties.supported_app_version,
    supported_app_frontend_version: UpdateNode.properties.supported_app_frontend_version,
  },
);

export const NodeVersionMove = entity("NodeVersionMove", "One change of a version's status.", {
  at: Timestamp,
  status_before: NodeVersionStatus,
  status_after: NodeVersionStatus,
  reason: text("The reason."),
  by: wordOf(["admin", "publisher", "checks", "registry"], { description: "Who changed it." }),
  name: text("The operator's name, only shown to operators."),
  batch_id: Type.Optional(Uuid),
});

export const NodeVersionReview = entity("NodeVersionReview", "A version's findings and status history.", {
  node_version: NodeVersion,
  rule_set: text("The version of the rules behind the verdict."),
  checked_at: nullable(Timestamp),
  findings: Type.Array(NodeVersionFinding, { description: "The findings of the checks." }),
  history: Type.Array(NodeVersionMove, { description: "Every status change, oldest first." }),
  capabilities: Type.Optional(NodeCapabilities),
});
export type NodeVersionReview = Static<typeof NodeVersionReview>;

export const GeneratedToken = entity("GeneratedToken", "A short-lived operator token.", {
  token: Type.String(),
  expires_at: Timestamp,
});
export type GeneratedToken = Static<typeof GeneratedToken>;
