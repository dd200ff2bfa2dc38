// The registry's entities: publishers, nodes, their versions and the per-version descriptors. The mixture of createdAt and
// created_at comes from the specification, so the wire keeps it.
import { type Static, Type } from "typebox";
import { limits } from "./limits.ts";
import { entity, mapOf, notBlank, OpenObject, Timestamp, Uuid, wordOf } from "./wire-values.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));
// Bounds apply to what callers send. Answers may come from an upstream registry with other bounds.
const sentText = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));
const sentTexts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: limits.nodeTagsMax, description }));

// Readers follow these as links, so we refuse anything that could end an attribute or run code. Empty means absent.
export const pageAddress = "^([Hh][Tt][Tt][Pp][Ss]?://[^\\s<>\"'`\\\\]+)?$";
const gitPath = "[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]+)?[:/][A-Za-z0-9_./~%+-]+";
const gitUser = "[A-Za-z0-9_.-]+@";
export const repositoryAddress = `^([Hh][Tt][Tt][Pp][Ss]?://[^\\s<>"'\`\\\\]+|(ssh|git)://(${gitUser})?${gitPath}|${gitUser}${gitPath}|[A-Za-z0-9][A-Za-z0-9.-]*/[A-Za-z0-9_./~%+-]+)?$`;
export const NodeId = Type.String({
  title: "NodeId",
  description: "A node's id: letters, digits, dot, underscore and hyphen. Unique regardless of case.",
  pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$",
  maxLength: limits.nodeIdLengthMax,
});

export const PublisherId = Type.String({
  title: "PublisherId",
  description: "A publisher's id: lower-case letters, digits and hyphens, starting with a letter. It never changes.",
  pattern: "^[a-z][a-z0-9-]*$",
  maxLength: 64,
});

// Node ids that are taken by routes (decisions, section 5).
export const reservedNodeIds = ["search", "pricing", "reindex", "update-github-stars", "v2"] as const;
export const reservedPublisherIds = ["validate"] as const;

// Active ↔ Banned by an admin; Deleted is terminal and soft, the id stays reserved.
export const NodeStatus = wordOf(["NodeStatusActive", "NodeStatusDeleted", "NodeStatusBanned"], {
  title: "NodeStatus",
  description: "Whether the node is available.",
});
export type NodeStatus = Static<typeof NodeStatus>;

export const NodeVersionStatus = wordOf(
  [
    "NodeVersionStatusActive",
    "NodeVersionStatusPending",
    "NodeVersionStatusFlagged",
    "NodeVersionStatusBanned",
    "NodeVersionStatusDeleted",
  ],
  { title: "NodeVersionStatus", description: "Whether the version can be installed." },
);
export type NodeVersionStatus = Static<typeof NodeVersionStatus>;

export const PublisherStatus = wordOf(["PublisherStatusActive", "PublisherStatusBanned"], {
  title: "PublisherStatus",
  description: "Whether the publisher may publish.",
});

export const PublisherVisibility = wordOf(["public", "workspace"], {
  title: "PublisherVisibility",
  description: "Who can see the publisher and its nodes: everyone, or only its workspace and its members.",
});

export const NodePolicy = wordOf(["NodePolicyActive", "NodePolicyBanned", "NodePolicyLocalOnly"], {
  title: "NodePolicy",
  description: "Where workflows may use the node: everywhere, nowhere or only on self-hosted surfaces.",
});
export type NodePolicy = Static<typeof NodePolicy>;

export const PublisherMember = entity("PublisherMember", "A person who acts for a publisher.", {
  id: Type.Optional(Type.String({ description: "The membership's id." })),
  role: Type.Optional(Type.String({ description: "What the member may do. An owner may do everything." })),
  user: Type.Optional(
    Type.Object({
      id: text("The person's id."),
      name: text("The person's name."),
      email: text("Shown to members and admins only."),
    }),
  ),
});
export type PublisherMember = Static<typeof PublisherMember>;

export const Publisher = entity("Publisher", "Who publishes nodes.", {
  id: PublisherId,
  name: Type.String({ description: "Display name." }),
  description: text("What the publisher does."),
  logo: text("URL of the logo."),
  website: text("URL of the website."),
  support: text("Where users find help."),
  source_code_repo: text("URL of the source code."),
  createdAt: Timestamp,
  status: PublisherStatus,
  visibility: Type.Optional(PublisherVisibility),
  members: Type.Optional(Type.Array(PublisherMember, { description: "The people who act for the publisher." })),
});
export type Publisher = Static<typeof Publisher>;

export const compatibilityFields = {
  supported_accelerators: texts("Accelerators it runs on, for example CUDA, DirectML, ROCm."),
  supported_os: texts("Operating systems it runs on."),
  supported_app_version: text("Versions of the application it works with."),
  supported_app_frontend_version: text("Versions of the application's frontend it works with."),
};

export const NodeVersionFinding = entity("NodeVersionFinding", "One finding of the built-in checks in an archive.", {
  code: Type.String({ minLength: 1, description: "The rule's stable code." }),
  message: Type.String({ description: "A human-readable description." }),
  file: text("The file with the finding."),
  line: Type.Optional(Type.Integer({ minimum: 1, description: "The line number." })),
  source: text("That line of the file, at most 200 characters."),
});

export const NodeVersionAppeal = entity(
  "NodeVersionAppeal",
  "The publisher's appeal while it waits for an operator. Only shown to members and admins.",
  {
    reason: Type.String({ description: "Why the publisher thinks that the findings are harmless." }),
    created_at: Timestamp,
  },
);

export const NodeVersion = entity("NodeVersion", "A published version of a node.", {
  id: Uuid,
  node_id: NodeId,
  version: Type.String({ description: "A semantic version." }),
  changelog: text("What changed."),
  createdAt: Timestamp,
  dependencies: Type.Array(Type.String(), { description: "Packages it needs." }),
  deprecated: Type.Boolean({ description: "Whether its publisher has deprecated it." }),
  deprecated_at: Type.Optional(
    Type.String({
      format: "date-time",
      description: "When it was deprecated; also in the Deprecation header. Absent if it is not.",
    }),
  ),
  sunset_at: Type.Optional(
    Type.String({ format: "date-time", description: "When its publisher will remove it; also in the Sunset header." }),
  ),
  downloadUrl: text("The URL of the archive. Absent until its upload completes."),
  archive_hash: text("The hash of the archive: blake3: and 64 hexadecimal digits."),
  archive_size: Type.Optional(Type.Integer({ minimum: 0, description: "Size of the archive in bytes." })),
  status: NodeVersionStatus,
  status_reason: text("Why it has this status."),
  svc_node_extract_status: text("The state of the descriptor extraction: pending, success, partial or failed."),
  extract_reasons: texts(
    "Why the extraction is partial or failed: what is computed at run time, with file and line. Absent if there is nothing to say.",
  ),
  capabilities: texts(
    "What its code can do: network, processes, files, code, native, environment; with _at_import if it happens when the application loads it. Absent until its code was read.",
  ),
  ...compatibilityFields,
  tags: texts("Tags."),
  tags_admin: texts("Operator tags, only shown to admins."),
  warnings: texts(
    "Warnings from the operators, to be shown before installing; the node's own warnings come first. Absent if there are none.",
  ),
  findings: Type.Optional(
    Type.Array(NodeVersionFinding, { description: "The findings of the checks, only shown to members and admins." }),
  ),
  readme: text("The name of the readme in the archive. Absent if it has none that this reader may see."),
  appeal: Type.Optional(NodeVersionAppeal),
});
export type NodeVersion = Static<typeof NodeVersion>;

const category = Type.Optional(
  Type.String({ deprecated: true, description: "Use tags instead; will be removed in a later version." }),
);

const describedFields = {
  author: text("Who wrote it."),
  category,
  license: text("The path of the licence file in the repository, or its text as JSON."),
  repository: text("URL of the repository."),
  icon: text("URL of the icon."),
  banner_url: text("URL of the banner."),
  ...compatibilityFields,
  translations: Type.Optional(
    mapOf(OpenObject, {
      description: "Translations by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters.",
    }),
  ),
};

// `Node` of the specification. The name would hide the DOM's Node in browsers, so the schema says whose node it is.
export const RegistryNode = entity("Node", "A registry node.", {
  id: NodeId,
  name: Type.String({ description: "Display name." }),
  description: Type.String({ description: "What the node does. Empty if not given." }),
  ...describedFields,
  tags: Type.Array(Type.String(), { description: "Tags." }),
  tags_admin: texts("Operator tags, only shown to admins. Tags starting with `warning:` also appear in warnings."),
  warnings: texts("Warnings from the operators, to be shown before installing. Absent if there are none."),
  created_at: Timestamp,
  downloads: Type.Integer({ minimum: 0, description: "Installs, counted once per client and day." }),
  github_stars: Type.Optional(Type.Integer({ minimum: 0, description: "The repository's star count." })),
  rating: Type.Optional(Type.Number({ description: "The average review." })),
  search_ranking: Type.Optional(Type.Integer({ description: "Rank in search results." })),
  status: NodeStatus,
  status_detail: text("Why it has this status."),
  preempted_svc_node_names: texts("Node names this node takes precedence for."),
  latest_version: Type.Optional(NodeVersion),
  publisher: Type.Optional(Publisher),
});
export type RegistryNode = Static<typeof RegistryNode>;

const sentCompatibilityFields = {
  supported_accelerators: sentTexts("Accelerators it runs on, for example CUDA, DirectML, ROCm."),
  supported_os: sentTexts("Operating systems it runs on."),
  supported_app_version: sentText(200, "Versions of the application it works with."),
  supported_app_frontend_version: sentText(200, "Versions of the application's frontend it works with."),
};

const sentPage = (description: string) =>
  Type.Optional(Type.String({ maxLength: 2_048, pattern: pageAddress, description }));

const editableFields = {
  author: sentText(200, "Who wrote it."),
  category: Type.Optional(
    Type.String({
      maxLength: 200,
      deprecated: true,
      description: "Use tags instead; will be removed in a later version.",
    }),
  ),
  license: sentText(20_000, "The path of the licence file in the repository, or its text as JSON."),
  repository: Type.Optional(
    Type.String({
      maxLength: 2_048,
      pattern: repositoryAddress,
      description: "URL of the repository: http, https, ssh or git's short form. Empty for none.",
    }),
  ),
  icon: sentPage("URL of the icon, http or https. Empty for none."),
  banner_url: sentPage("URL of the banner, http or https. Empty for none."),
  ...sentCompatibilityFields,
  translations: describedFields.translations,
  description: Type.Optional(
    Type.String({ maxLength: limits.nodeDescriptionLengthMax, description: "What the node does." }),
  ),
  tags: sentTexts("Tags."),
};
const nodeName = Type.String({
  minLength: 1,
  maxLength: limits.nodeNameLengthMax,
  pattern: notBlank,
  description: "Display name.",
});

// Spec, Node: the same object is the create body. Callers may send the fields the server owns; they are ignored, so they are not
// listed here.
export const CreateNode = entity("CreateNode", "A node to create. Fields managed by the server are ignored.", {
  id: NodeId,
  name: nodeName,
  ...editableFields,
});
export type CreateNode = Static<typeof CreateNode>;

export const UpdateNode = entity(
  "UpdateNode",
  "The fields to change. Omitted fields stay as they are. Id and publisher cannot change.",
  {
    name: Type.Optional(nodeName),
    ...editableFields,
  },
);
export type UpdateNode = Static<typeof UpdateNode>;

const descriptorFields = {
  category: text("The node's place in the menu."),
  deprecated: Type.Optional(Type.Boolean({ description: "Deprecated nodes are hidden in the menu." })),
  description: text("What the node does."),
  display_name: text("The node's name for people."),
  experimental: Type.Optional(Type.Boolean({ description: "May change or be removed." })),
  function: text("The name of the entry-point function."),
  input_types: text("The input parameters, as a JSON string."),
  output_is_list: Type.Optional(Type.Array(Type.Boolean(), { description: "For each output, whether it is a list." })),
  output_node: Type.Optional(Type.Boolean({ description: "Whether it ends a workflow, such as a node that saves." })),
  policy: Type.Optional(NodePolicy),
  return_names: text("The outputs' names, as a JSON string."),
  return_types: text("The outputs' types, as a JSON string."),
};

export const UpdateDescriptor = entity(
  "UpdateDescriptor",
  "Changes to a descriptor. Omitted fields stay as they are. Only admins can change policy.",
  descriptorFields,
);
export type UpdateDescriptor = Static<typeof UpdateDescriptor>;

export const NodeDescriptor = entity("NodeDescriptor", "One node class that a version of a registry node provides.", {
  ...descriptorFields,
  svc_node_name: Type.String({ minLength: 1, description: "The node's unique name." }),
});
export type NodeDescriptor = Static<typeof NodeDescriptor>;
