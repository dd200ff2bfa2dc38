// Decisions, section 1: one table of envelopes by prefix, and of the credential that each prefix asks for.
export interface Prefix {
  readonly prefix: string;
  // `page` is the key site: people look at it, so its errors are pages.
  readonly envelope: "router" | "v2" | "generic" | "page" | "json-rpc";
  // Who gets a 404 for an unknown path below it. With `public`, everyone does.
  readonly callers: "public" | "key" | "admin" | "worker";
}

export const prefixes: readonly Prefix[] = [
  { prefix: "/v1", envelope: "router", callers: "key" },
  { prefix: "/api/v2", envelope: "v2", callers: "key" },
  { prefix: "/api/v2/health", envelope: "v2", callers: "public" },
  { prefix: "/api/jobs", envelope: "v2", callers: "key" },
  { prefix: "/api/workers", envelope: "generic", callers: "worker" },
  { prefix: "/workflow", envelope: "v2", callers: "key" },
  { prefix: "/deployment/00000000-0000-7000-8000-000000000000", envelope: "v2", callers: "key" },
  { prefix: "/proxy", envelope: "generic", callers: "key" },
  { prefix: "/customers", envelope: "generic", callers: "key" },
  { prefix: "/callbacks", envelope: "generic", callers: "public" },
  { prefix: "/payments", envelope: "generic", callers: "public" },
  { prefix: "/account", envelope: "generic", callers: "key" },
  { prefix: "/admin", envelope: "generic", callers: "admin" },
  { prefix: "/admin/badges", envelope: "generic", callers: "admin" },
  { prefix: "/metrics", envelope: "generic", callers: "admin" },
  { prefix: "/nodes", envelope: "generic", callers: "public" },
  { prefix: "/nodes/pricing/badges", envelope: "generic", callers: "public" },
  { prefix: "/publishers", envelope: "generic", callers: "public" },
  { prefix: "/svc-nodes", envelope: "generic", callers: "public" },
  { prefix: "/bulk/nodes", envelope: "generic", callers: "public" },
  { prefix: "/versions", envelope: "generic", callers: "public" },
  { prefix: "/users", envelope: "generic", callers: "key" },
  { prefix: "/security-scan", envelope: "generic", callers: "admin" },
  { prefix: "/.well-known", envelope: "generic", callers: "public" },
  { prefix: "/console", envelope: "generic", callers: "public" },
  { prefix: "/w", envelope: "generic", callers: "public" },
  { prefix: "/packages", envelope: "generic", callers: "public" },
  { prefix: "/mcp", envelope: "json-rpc", callers: "key" },
  { prefix: "/sign-in", envelope: "page", callers: "public" },
  { prefix: "/profile", envelope: "page", callers: "public" },
];

// Paths outside every prefix.
export const elsewhere: Prefix = { prefix: "/nowhere", envelope: "generic", callers: "public" };
