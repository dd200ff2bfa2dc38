// Converts another registry's node to our wire format: valid members are kept, missing required ones get a default, and
// everything else is dropped. Null if it is not a node at all.
import { limits, NodeVersion, Publisher, RegistryNode } from "@atelier/contract";
import type { TObject } from "typebox";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { memberIn } from "../fields/bad-fields.ts";

const nodeCheck = compileSchema(RegistryNode);
const versionCheck = compileSchema(NodeVersion);
const publisherCheck = compileSchema(Publisher);
// E-mail addresses, operators' notes and check results are private to the other registry.
const neverTaken = new Set(["members", "tags_admin", "findings", "status_reason", "translations"]);
const nodeBytesMax = 256 * 1024;

export function upstreamNode(given: unknown): RegistryNode | null {
  const plain = { description: "", tags: [], downloads: 0, status: "NodeStatusActive", created_at: epoch };
  const node = { ...plain, ...fitting(RegistryNode, given) };
  const latest = upstreamNodeVersion(memberIn(given, "latest_version"));
  const publisher = {
    createdAt: epoch,
    status: "PublisherStatusActive",
    ...fitting(Publisher, memberIn(given, "publisher")),
  };
  const whole: unknown = {
    ...node,
    ...(latest === null ? {} : { latest_version: latest }),
    ...(publisherCheck.accepts(publisher) ? { publisher } : {}),
  };
  if (!nodeCheck.accepts(whole) || whole.name === "" || JSON.stringify(whole).includes("\\u0000")) return null;
  const { description } = whole;
  const fits = { ...whole, description: description.slice(0, limits.nodeDescriptionLengthMax) };
  return Buffer.byteLength(JSON.stringify(fits)) <= nodeBytesMax ? fits : null;
}

export function upstreamNodeVersion(given: unknown): NodeVersion | null {
  const version: unknown = { dependencies: [], deprecated: false, createdAt: epoch, ...fitting(NodeVersion, given) };
  return versionCheck.accepts(version) ? version : null;
}

const epoch = new Date(0).toISOString();

function fitting(schema: TObject, given: unknown): Record<string, unknown> {
  const members = Object.entries(schema.properties).flatMap(([name, member]) => {
    const value = memberIn(given, name);
    const isNested = name === "latest_version" || name === "publisher";
    if (value === undefined || value === null || isNested || neverTaken.has(name)) return [];
    return compileSchema(member).accepts(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(members);
}
