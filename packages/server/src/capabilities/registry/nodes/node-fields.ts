// The fields of a node that its publisher sets, as stored. Everything else about a node is set by the server and never
// taken from a body (decisions, section 5). Clients send empty texts for fields they do not set, so empty means absent.
import type { CreateNode, UpdateNode } from "@atelier/contract";

export interface NodeFields {
  readonly name: string;
  readonly description: string;
  readonly author: string | null;
  readonly category: string | null;
  readonly license: string | null;
  readonly repository: string | null;
  readonly icon: string | null;
  readonly bannerUrl: string | null;
  readonly tags: readonly string[];
  readonly supportedAccelerators: readonly string[] | null;
  readonly supportedOs: readonly string[] | null;
  readonly supportedAppVersion: string | null;
  readonly supportedAppFrontendVersion: string | null;
}

const emptyFields: NodeFields = {
  name: "",
  description: "",
  author: null,
  category: null,
  license: null,
  repository: null,
  icon: null,
  bannerUrl: null,
  tags: [],
  supportedAccelerators: null,
  supportedOs: null,
  supportedAppVersion: null,
  supportedAppFrontendVersion: null,
};

export function newFields(body: CreateNode): NodeFields {
  return mergedFields(emptyFields, body);
}

// Absent members keep their value.
export function mergedFields(before: NodeFields, body: UpdateNode): NodeFields {
  return {
    name: body.name ?? before.name,
    description: body.description ?? before.description,
    author: text(body.author, before.author),
    category: text(body.category, before.category),
    license: text(body.license, before.license),
    repository: text(body.repository, before.repository),
    icon: text(body.icon, before.icon),
    bannerUrl: text(body.banner_url, before.bannerUrl),
    tags: texts(body.tags, before.tags) ?? [],
    supportedAccelerators: texts(body.supported_accelerators, before.supportedAccelerators),
    supportedOs: texts(body.supported_os, before.supportedOs),
    supportedAppVersion: text(body.supported_app_version, before.supportedAppVersion),
    supportedAppFrontendVersion: text(body.supported_app_frontend_version, before.supportedAppFrontendVersion),
  };
}

function text(sent: string | undefined, before: string | null): string | null {
  return sent === undefined ? before : sent === "" ? null : sent;
}

function texts(sent: readonly string[] | undefined, before: readonly string[] | null): readonly string[] | null {
  const kept = sent?.filter((one) => one !== "");
  return kept === undefined ? before : kept.length === 0 ? null : kept;
}
