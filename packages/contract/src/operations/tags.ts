// The areas as people read them in the OpenAPI document.
export const tags = {
  priceBadges: "Price badges",
  badgeAdministration: "Price badge administration",
  modelRouter: "Model router",
  partnerProxy: "Partner proxy",
  registry: "Node registry",
  registryAdministration: "Node registry administration",
  jobs: "v2 jobs",
  assets: "v2 assets",
  content: "Content",
  account: "Account",
  agents: "Agents",
  workers: "Workers",
  administration: "Administration",
  console: "Console",
  system: "System",
} as const;

export type Tag = (typeof tags)[keyof typeof tags];

// In the order of the document.
export const tagMeanings = {
  "Price badges": "What nodes cost. Public and cacheable.",
  "Model router": "Partner models by canonical id, in the partners' own JSON.",
  "Partner proxy": "Image and video tasks at partners.",
  "Node registry": "Publishers, nodes, versions and descriptors.",
  "v2 jobs": "Submit, follow and cancel workflow runs.",
  "v2 assets": "Input and output files, addressed by content.",
  Content: "Bytes behind signed addresses, served from an origin of their own.",
  Account: "The caller's workspaces, members and keys.",
  Agents: "The Model Context Protocol: models and workflows as tools.",
  Workers: "For external workers that run jobs: claim, heartbeat, outputs, finish.",
  Administration: "For operators: workspaces, limits, audit.",
  "Price badge administration": "For operators: write, check, end and list badges.",
  "Node registry administration": "For operators and machines: review, bans, extraction.",
  Console: "The web console and its files.",
  System: "Health, metrics and documentation.",
} as const satisfies Record<Tag, string>;
