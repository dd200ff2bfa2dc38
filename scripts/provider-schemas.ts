// The JSON schemas for editors of provider definitions and of their fixtures, from the very schemas that the server
// reads them with. The price, which the server checks by a checker of its own, is filled in.

import { ProviderFixtures } from "../packages/server/src/capabilities/conformance/index.ts";
import { PriceDefinition } from "../packages/server/src/capabilities/prices/index.ts";
import { ProviderDefinition } from "../packages/server/src/capabilities/providers/index.ts";

const dialect = "https://json-schema.org/draft/2020-12/schema";

export function providerSchema(): object {
  const { $defs }: { $defs: object } = JSON.parse(JSON.stringify(PriceDefinition));
  const withPrice = JSON.parse(JSON.stringify(ProviderDefinition), (name, value: unknown) =>
    name === "price" ? { $ref: "#/$defs/PriceDefinition" } : value,
  );
  const local = JSON.parse(JSON.stringify($defs), (name, value: unknown) =>
    name === "$ref" && typeof value === "string" && !value.startsWith("#") ? `#/$defs/${value}` : value,
  );
  for (const definition of Object.values(Object(local))) Reflect.deleteProperty(Object(definition), "$id");
  return {
    $schema: dialect,
    title: "An Atelier provider",
    description: "A provider as data: docs/PROVIDER-DEFINITIONS.md explains every member.",
    ...withPrice,
    $defs: local,
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
