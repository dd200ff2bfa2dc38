import { type Example, time, uuid } from "./example.ts";

const member = { id: "m-1", role: "owner", user: { id: "u-1", name: "Ada", email: "ada@example.org" } };
const publisher = {
  id: "ada-works",
  name: "Ada Works",
  createdAt: time,
  status: "PublisherStatusActive",
  members: [member],
};
const codeUse = { kind: "network", at_import: true, name: "requests.get", file: "util.py", line: 12 };
const finding = { code: "eval_call", message: "eval on input", file: "nodes.py", line: 12 };
const version = {
  id: uuid,
  node_id: "Ada.Nodes",
  version: "1.10.0",
  changelog: "Faster",
  createdAt: time,
  dependencies: ["numpy>=2"],
  deprecated: false,
  downloadUrl: "https://content.example/node.zip",
  status: "NodeVersionStatusActive",
  svc_node_extract_status: "success",
  supported_os: ["Linux"],
  findings: [finding],
};
const move = {
  at: time,
  status_before: "NodeVersionStatusFlagged",
  status_after: "NodeVersionStatusActive",
  reason: "Read by hand",
  by: "admin",
  batch_id: uuid,
};
const node = {
  id: "Ada.Nodes",
  name: "Ada's nodes",
  description: "",
  tags: ["image"],
  created_at: time,
  downloads: 3,
  rating: 4.5,
  status: "NodeStatusActive",
  translations: { de: { name: "Adas Knoten" } },
  latest_version: version,
  publisher,
};
const descriptor = {
  category: "image/light",
  function: "run",
  input_types: '{"required":{}}',
  output_is_list: [false, true],
  policy: "NodePolicyLocalOnly",
};
const named = { ...descriptor, svc_node_name: "AdaRelight" };
const token = { id: uuid, name: "ci", token: "abcd****", createdAt: time, last_used_at: null, expires_at: null };

export const nodeRegistryExamples: Record<string, Example> = {
  NodeId: { good: "a", broken: { "": "a-" } },
  PublisherId: { good: "ada-works", broken: { "": "1ada" } },
  NodeStatus: { good: "NodeStatusBanned", broken: { "": "Active" } },
  NodeVersionStatus: { good: "NodeVersionStatusFlagged", broken: { "": "NodeStatusActive" } },
  PublisherStatus: { good: "PublisherStatusBanned", broken: { "": "PublisherStatusDeleted" } },
  PublisherVisibility: { good: "workspace", broken: { "": "private" } },
  NodePolicy: { good: "NodePolicyActive", broken: { "": "NodePolicyCloudOnly" } },
  PublisherMember: { good: member, broken: { role: 1, "user.email": null } },
  Publisher: { good: publisher, broken: { id: "Ada", createdAt: undefined, status: undefined, members: member } },
  NodeVersionFinding: { good: finding, broken: { code: "", line: 0 } },
  NodeVersion: { good: version, broken: { id: "1", status: undefined, dependencies: "numpy", deprecated: undefined } },
  Node: { good: node, broken: { latest_version: null, downloads: -1, description: undefined, status: "Active" } },
  CreateNode: {
    good: { id: "Ada.Nodes", name: "Ada's nodes", downloads: "ignored" },
    broken: { id: "-x", name: undefined, description: "x".repeat(1_001), tags: "image" },
  },
  UpdateNode: { good: { tags: ["video"] }, broken: { tags: [1], name: "" } },
  UpdateDescriptor: { good: descriptor, broken: { policy: "Active", output_is_list: ["no"] } },
  NodeDescriptor: { good: named, broken: { svc_node_name: undefined } },
  NodePage: {
    good: { nodes: [node], total: 1, page: 1, limit: 10, totalPages: 1 },
    broken: { page: 0, totalPages: undefined },
  },
  NodeVersionPage: {
    good: { versions: [version], total: 1, page: 1, pageSize: 10, totalPages: 1 },
    broken: { pageSize: 101, versions: undefined },
  },
  DescriptorPage: { good: { svc_nodes: [named], totalNumberOfPages: 1 }, broken: { totalNumberOfPages: undefined } },
  DescriptorSearchPage: { good: { svc_nodes: [named], total: 1 }, broken: { svc_nodes: [descriptor] } },
  RegistryUser: { good: { id: "u-1", isAdmin: false, isApproved: true }, broken: { isAdmin: undefined } },
  CreatePublisher: { good: { id: "ada-works", name: "Ada Works" }, broken: { id: "Ada Works", name: "" } },
  UpdatePublisher: { good: { website: "https://ada.example" }, broken: { website: 7 } },
  PublisherList: { good: [publisher], broken: { "0.id": undefined } },
  PublisherAvailability: { good: { isAvailable: true }, broken: { isAvailable: undefined } },
  EditPermission: { good: { canEdit: false }, broken: { canEdit: "no" } },
  CreatePublisherMember: { good: { email: "bob@example.org" }, broken: { email: undefined, role: 1 } },
  CreatePublisherToken: { good: { name: "ci" }, broken: { name: "", expires_at: null } },
  PublisherToken: { good: token, broken: { token: undefined, last_used_at: undefined } },
  CreatedPublisherToken: { good: { id: uuid, token: uuid }, broken: { token: undefined } },
  PublishNodeVersion: {
    good: { personal_access_token: uuid, node: { id: "Ada.Nodes", name: "Ada" }, node_version: { version: "1.0.0" } },
    // The server checks the form of an id and whether it is the path's, together with every other bad field.
    broken: { node_version: undefined, "node_version.version": "", "node.id": "x".repeat(101) },
  },
  PublishedNodeVersion: {
    good: { node_version: version, signedUrl: "https://content.example/c/uploads/1" },
    broken: { signedUrl: undefined, node_version: null },
  },
  UploadedArchive: {
    good: { size_bytes: 4_096, status: "NodeVersionStatusFlagged", findings: [finding] },
    broken: { size_bytes: -1, status: "Flagged", "findings.0.code": undefined },
  },
  NodeVersionAppeal: {
    good: { reason: "The call is in a test.", created_at: time },
    broken: { reason: undefined, created_at: 1 },
  },
  AppealNodeVersion: { good: { reason: "The call is in a test." }, broken: { reason: " " } },
  NodeReadme: {
    good: { file: "README.md", text: "# Ada", truncated: false },
    broken: { text: undefined, truncated: 0 },
  },
  NodeCapabilities: {
    good: {
      version: "1.4.1",
      capabilities: ["network", "network_at_import"],
      uses: [codeUse],
      compared_with: "1.4.0",
      added: [{ ...codeUse, is_new_kind: true, text: "1.4.1 newly opens the network at import, util.py:12." }],
      removed: [],
    },
    broken: { capabilities: undefined, "uses.0.line": 0, "added.0.text": undefined, removed: null },
  },
  UpdateNodeVersion: { good: { deprecated: true }, broken: { deprecated: "true" } },
  NodeVersionIdentifier: { good: { node_id: "Ada.Nodes", version: "1.0.0" }, broken: { version: undefined } },
  BulkNodeVersionsRequest: {
    good: { node_versions: [{ node_id: "Ada.Nodes", version: "1.0.0" }] },
    broken: { node_versions: [] },
  },
  BulkNodeVersions: {
    good: { node_versions: [{ identifier: { node_id: "x", version: "1" }, status: "not_found" }] },
    broken: { "node_versions.0.status": "missing", "node_versions.0.identifier": undefined },
  },
  ExtractedDescriptors: {
    good: { success: true, nodes: { AdaRelight: descriptor }, cloud_build_info: { build: 1 } },
    broken: { "nodes.AdaRelight": "x", success: 1 },
  },
  TranslationsOfNode: { good: { data: { de: { name: "Knoten" } } }, broken: { data: { de: "Knoten" } } },
  ClaimNode: { good: { GH_TOKEN: "t" }, broken: { GH_TOKEN: "" } },
  BanReason: { good: { reason: "Malware" }, broken: { reason: 7 } },
  NodeVersionMove: { good: move, broken: { status_before: "Pending", by: "nobody", at: "yesterday" } },
  NodeVersionReview: {
    good: { node_version: version, rule_set: "1", checked_at: time, findings: [finding], history: [move] },
    broken: { checked_at: undefined, history: move, "history.0.batch_id": "1" },
  },
  ReviewNode: { good: { status: "NodeStatusBanned", status_detail: "Malware" }, broken: { status: "Banned" } },
  ReviewNodeVersion: { good: { status: "NodeVersionStatusBanned" }, broken: { status: "NodeStatusBanned" } },
  GeneratedToken: { good: { token: "t", expires_at: time }, broken: { expires_at: null } },
};
