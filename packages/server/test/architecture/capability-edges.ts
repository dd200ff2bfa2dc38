// A capability may use another only along an edge listed here. Anything else it needs is passed in as a plain interface.
export const capabilityEdges: Readonly<Record<string, readonly string[]>> = {
  webhooks: ["audit", "identity", "secrets"],
  tokens: ["audit", "identity"],
  oidc: ["identity"],
  assets: ["blobs", "limits", "secrets"],
  calls: ["prices"],
  jobs: ["assets", "calls", "limits", "secrets"],
  "graph-runs": ["jobs"],
  graphs: ["applications", "assets", "blobs", "jobs", "pools", "prices", "providers"],
  "saved-workflows": ["graphs", "jobs"],
  works: [
    ...["assets", "audit", "calls", "graphs", "identity", "jobs", "model-calls", "prices", "providers"],
    "saved-workflows",
  ],
  deployments: ["audit", "jobs", "webhooks"],
  applications: ["graph-runs", "jobs"],
  "application-files": ["assets", "blobs"],
  pools: ["jobs"],
  "remote-work": ["blobs", "graph-runs", "jobs", "pools"],
  "model-requests": ["calls", "webhooks"],
  "model-calls": ["calls", "identity", "model-requests", "own-credentials", "prices", "providers"],
  conformance: ["model-calls", "prices", "providers"],
  prices: ["badge-proof"],
  providers: ["audit"],
  "workspace-data": ["audit", "calls", "identity"],
  "own-credentials": ["audit", "providers", "secrets"],
  "request-bodies": ["audit", "secrets"],
  registry: ["audit", "blobs", "identity", "limits", "secrets", "tokens"],
  partners: ["prices", "providers"],
  "partner-tasks": ["calls", "partners", "prices", "providers", "secrets", "webhooks"],
};

// A capability's tests build what is passed in from the real thing.
export const testEdges: Readonly<Record<string, readonly string[]>> = {
  identity: ["audit", "secrets", "limits"],
  limits: ["audit"],
  calls: ["blobs", "audit"],
  conformance: ["partner-nodes"],
  graphs: ["model-calls", "partner-nodes"],
  jobs: ["blobs", "webhooks"],
};
