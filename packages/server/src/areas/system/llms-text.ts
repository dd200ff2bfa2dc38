// GET /llms.txt: what the service is and where its operations are, short enough to read whole.
import type { Operation } from "@atelier/contract";
import { inReadingOrder } from "./area-order.ts";

// The most common tasks, one line each; only mounted operations are named.
const ways: readonly (readonly [readonly string[], string])[] = [
  [
    ["listModels", "invokeModel"],
    "Run a model: `GET /v1/models` for the ids, `GET /v1/models/{provider}/{model}/openapi.json` for its input, then `POST /v1/models/{provider}/{model}` with that input as JSON and an `Idempotency-Key`. The answer is the finished result; allow 660 seconds.",
  ],
  [
    ["submitJob", "getJob"],
    'Run a workflow: `POST /api/v2/jobs` with `{"workflow": {"1": {"class_type": "…", "inputs": {…}}, …}}`, then `GET /api/v2/jobs/{id}` until `status` is succeeded, failed, canceled or expired. A link between nodes is `["1", 0]`; at least one node saves something.',
  ],
  [
    ["uploadAsset"],
    'Use a file: `POST /api/v2/assets` as multipart with `content_type`, `file_path` and `file`; in a graph it is `{"__type": "core/ASSET", "info": {"id": "<asset id>"}}`. Outputs are assets too; `GET /api/v2/assets/{id}` returns a URL that works without a key until `url_expires_at`.',
  ],
  [["callMcp"], "As an agent: the Model Context Protocol at `POST /mcp` has tools for all of this."],
  [
    ["estimateModel", "createEstimate"],
    "Know the price first: send the body of the call to `POST /v1/models/{provider}/{model}/estimate`, or the body of the submission to `POST /account/estimates`; both return `credits` `{lowest, highest}` and are free. `X-Service-Max-Credits: 12.5` on the call or submission refuses it with 422 if it could cost more.",
  ],
  [
    ["getCredits"],
    "Your balance: `GET /account/credits`. What a call or an ended job cost: the header `X-Service-Credits-Used` of the call or of `GET /api/v2/jobs/{id}`; per node: `GET /account/jobs/{id}/charges`.",
  ],
];

export function llmsText(operations: readonly Operation[], baseUrl: string): string {
  const tags = inReadingOrder(operations.map((operation) => operation.tag));
  const sections = tags.map((tag) =>
    [
      `## ${tag}`,
      "",
      ...operations
        .filter((operation) => operation.tag === tag)
        .map((operation) => `- \`${operation.method} ${operation.path}\` (${operation.access}): ${operation.summary}`),
    ].join("\n"),
  );
  const mounted = new Set(operations.map(({ id }) => id));
  const known = ways.filter(([ids]) => ids.every((id) => mounted.has(id)));
  return [
    "# Atelier",
    "",
    "> A generation platform that anyone can own: price badges, a model router, a partner proxy, a node registry and a versioned workflow API.",
    "",
    `Base URL: ${baseUrl}. Complete machine-readable description: ${baseUrl}/openapi.json`,
    "",
    "Send an API key as `X-API-Key` or `Authorization: Bearer`. Every response has an `X-Service-Request-Id`; quote it when you ask for help.",
    "",
    ...(known.length === 0 ? [] : ["## What you can do", "", ...known.map(([, words]) => `- ${words}`), ""]),
    ...sections.flatMap((section) => [section, ""]),
  ].join("\n");
}
