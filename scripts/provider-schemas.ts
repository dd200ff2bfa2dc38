// JSON schemas for editing provider and partner definitions, and fixtures, made from the very schemas that the server reads them
// with. We fill in the price, which the server checks separately.
import { MappingFile } from "../packages/server/src/areas/openai/index.ts";
import { ProviderFixtures } from "../packages/server/src/capabilities/conformance/index.ts";
import { NodesFile } from "../packages/server/src/capabilities/partner-nodes/index.ts";
import { PartnerDefinition } from "../packages/server/src/capabilities/partners/index.ts";
import { PriceDefinition } from "../packages/server/src/capabilities/prices/index.ts";
import { ProviderDefinition } from "../packages/server/src/capabilities/providers/index.ts";

const dialect = "https://json-schema.org/draft/2020-12/schema";

export function providerSchema(): object {
  return {
    $schema: dialect,
    title: "An Atelier provider",
    description: "A provider as data: docs/PROVIDER-DEFINITIONS.md explains every member.",
    ...withLocalReferences(ProviderDefinition),
  };
}

export function partnerSchema(): object {
  return {
    $schema: dialect,
    title: "An Atelier partner",
    description: "A partner as data: docs/PARTNERS.md explains every member.",
    ...withLocalReferences(PartnerDefinition),
  };
}

// Referenced schemas are included under $defs, because an editor finds no other documents.
function withLocalReferences(schema: object): object {
  const defs: Record<string, object> = {};
  const localized = (given: object): object =>
    JSON.parse(JSON.stringify(given), (name, value: unknown) => {
      if (name === "price") return { $ref: "#/$defs/PriceDefinition" };
      if (name === "$ref" && typeof value === "string" && !value.startsWith("#")) return `#/$defs/${value}`;
      if (!hasDefs(value)) return value;
      const { $defs, ...rest } = value;
      for (const [key, { $id: _, ...definition }] of Object.entries($defs)) defs[key] = definition;
      return rest;
    });
  localized(PriceDefinition);
  return { ...localized(schema), $defs: defs };
}

function hasDefs(value: unknown): value is { $defs: Record<string, { $id?: unknown }> } {
  return typeof value === "object" && value !== null && "$defs" in value;
}

export function openaiMappingSchema(): object {
  return {
    $schema: dialect,
    title: "Models for OpenAI-shaped clients",
    description: "Which models they can call at which endpoint, and how: docs/CLIENTS.md explains it.",
    ...MappingFile,
  };
}

export function nodesSchema(): object {
  return {
    $schema: dialect,
    title: "Node classes of an Atelier provider",
    description: "Node classes that call a provider's models: docs/PARTNER-NODES.md explains every member.",
    ...JSON.parse(JSON.stringify(NodesFile)),
  };
}

export function fixturesSchema(): object {
  return {
    $schema: dialect,
    title: "Fixtures of an Atelier provider",
    description: "What a provider answers and what must become of it, for `atelier models check`.",
    ...JSON.parse(JSON.stringify(ProviderFixtures)),
  };
}
