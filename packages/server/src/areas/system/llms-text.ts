// GET /llms.txt: what the service is and where its operations stand, short enough to read whole.
import type { Operation } from "@atelier/contract";
import { inReadingOrder } from "./area-order.ts";

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
  return [
    "# Atelier",
    "",
    "> A generation platform that anyone can own: price badges, a model router, a partner proxy, a node registry and a versioned workflow API.",
    "",
    `Base address: ${baseUrl}. Complete machine-readable description: ${baseUrl}/openapi.json`,
    "",
    "Send an API key as `X-API-Key` or `Authorization: Bearer`. Every answer carries `X-Service-Request-Id`; quote it when you ask for help.",
    "",
    ...sections.flatMap((section) => [section, ""]),
  ].join("\n");
}
