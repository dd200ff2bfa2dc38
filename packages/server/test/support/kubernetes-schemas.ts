// JSON Schemas of Kubernetes' own kinds, for kubeconform, built from the OpenAPI document that Kubernetes publishes: the
// file api/openapi-spec/swagger.json of the Go module k8s.io/kubernetes. They are strict: an unknown member is an error,
// because a cluster would silently drop a misspelt one.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Schema = Readonly<Record<string, unknown>>;

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

// Writes one file for each kind, named as kubeconform expects; returns the location to give it.
export function writeKubernetesSchemas(document: string, folder: string): string {
  const { definitions }: { definitions: Record<string, Schema> } = JSON.parse(readFileSync(document, "utf8"));
  for (const [name, definition] of Object.entries(definitions))
    for (const named of (definition["x-kubernetes-group-version-kind"] ?? []) as readonly GroupVersionKind[]) {
      const group = named.group === "" ? "" : `-${named.group.split(".")[0]}`;
      const apiVersion = named.group === "" ? named.version : `${named.group}/${named.version}`;
      const schema = {
        $schema: "http://json-schema.org/draft-07/schema#",
        allOf: [
          { $ref: `#/definitions/${name}` },
          {
            required: ["apiVersion", "kind"],
            properties: { apiVersion: { const: apiVersion }, kind: { const: named.kind } },
          },
        ],
        definitions: closureOf(definitions, name),
      };
      writeFileSync(join(folder, `${named.kind.toLowerCase()}${group}-${named.version}.json`), JSON.stringify(schema));
    }
  return join(folder, "{{ .ResourceKind }}{{ .KindSuffix }}.json");
}

// A definition and everything it refers to.
function closureOf(definitions: Readonly<Record<string, Schema>>, first: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const wanted = [first];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (name in found) continue;
    found[name] = strict(name, definitions[name] ?? {});
    for (const [, next = ""] of JSON.stringify(found[name]).matchAll(/"#\/definitions\/([^"]+)"/g)) wanted.push(next);
  }
  return found;
}

// Quantities may be text or a number, and so may ports, which have a number or a name.
const textOrNumber = { type: ["string", "number"] };

function strict(name: string, schema: unknown): unknown {
  if (name.endsWith(".api.resource.Quantity")) return textOrNumber;
  if (Array.isArray(schema)) return schema.map((each) => strict("", each));
  if (typeof schema !== "object" || schema === null) return schema;
  const given = schema as Schema;
  if (given["format"] === "int-or-string") return textOrNumber;
  const plain = Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => key !== "format" && key !== "description" && key !== "default" && !key.startsWith("x-"))
      .map(([key, value]) => [key, key === "properties" ? strictMembers(value) : strict("", value)]),
  );
  const isOpen = !("properties" in given) || "additionalProperties" in given;
  return isOpen ? plain : { ...plain, additionalProperties: false };
}

// A member may have the same name as a schema keyword.
const strictMembers = (members: unknown) =>
  Object.fromEntries(Object.entries(Object(members)).map(([key, value]) => [key, strict("", value)]));
