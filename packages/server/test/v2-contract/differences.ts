// Where the three surfaces differ, each with its reason; and which documented answers the suite does not provoke, each
// with the code that does. A difference that is not listed is a fault, and so is a listed one that does not exist.
import type { Expected, SurfaceName, V2Operation } from "./contract-case.ts";

export interface Difference extends Expected {
  readonly surface: SurfaceName;
  readonly operation: V2Operation;
  readonly name: string;
  readonly reason: string;
}

const everySurface: readonly SurfaceName[] = ["cloud", "deployment", "self-hosted"];
const signing: readonly SurfaceName[] = ["cloud", "deployment"];

function on(
  surfaces: readonly SurfaceName[],
  operation: V2Operation,
  name: string,
  status: number,
  code: string | null,
  reason: string,
): Difference[] {
  return surfaces.map((surface) => ({ surface, operation, name, status, code, reason }));
}

const signed =
  "Spec, Output URL rule 1: the content endpoint leads to a signed URL, which serves ranges and validators.";
const noDeployment = "Only a deployment has workers of its own that can be away, or can be stopped.";
const nothingSold = "Nothing is sold on one's own machine: a graph has no price there.";
const notExecuted = "Spec, v2 endpoints: GET /workflow is a deployment's; elsewhere there is nothing at this path.";

export const differences: readonly Difference[] = [
  ...on(signing, "getAssetContent", "the whole", 302, null, signed),
  ...on(signing, "getAssetContent", "a part", 302, null, signed),
  ...on(signing, "getAssetContent", "what is known already", 302, null, signed),
  ...on(signing, "getAssetContent", "beyond the end", 302, null, signed),
  ...on(["cloud", "self-hosted"], "submitJob", "a deployment without workers", 201, null, noDeployment),
  ...on(["cloud", "self-hosted"], "submitJob", "a stopped deployment", 201, null, noDeployment),
  ...on(["cloud", "self-hosted"], "getExecutedWorkflow", "the newest", 404, "not_found", notExecuted),
  ...on(["self-hosted"], "submitJob", "a graph beyond the credits", 201, null, nothingSold),
  ...on(["self-hosted"], "submitJob", "a graph beyond what its caller allows", 201, null, nothingSold),
];

export interface Unprovoked {
  readonly operation: V2Operation | "every";
  readonly status: number;
  readonly reason: string;
}

export const unprovoked: readonly Unprovoked[] = [
  {
    operation: "followJobEvents",
    status: 501,
    reason:
      "For a surface without event streams. None of ours can be one: what an application does not stream is found by asking it (proxy-upstream.db.test.ts).",
  },
  { operation: "getUploadOffset", status: 400, reason: "Nothing in a HEAD of an upload can be unreadable." },
  { operation: "deleteUpload", status: 400, reason: "Nothing in a DELETE of an upload can be unreadable." },
  { operation: "uploadAsset", status: 507, reason: "A full disk: full-disk.db.test.ts." },
  { operation: "createUpload", status: 507, reason: "A full disk: full-disk.db.test.ts." },
  { operation: "appendToUpload", status: 507, reason: "A full disk: full-disk.db.test.ts." },
];

// Operations that are on no surface of this suite.
export const elsewhere: Readonly<Partial<Record<V2Operation, string>>> = {
  createAssetFromPath: "Only beside an application, whose files it names; tested with the self-hosted process.",
};

// These read only the body and what is cached: they work while the database fails or is away.
export const withoutDatabase: readonly V2Operation[] = ["convertWorkflow", "getWorkflowIndex"];

// Codes that no operation of this suite answers with.
export const codesElsewhere: Readonly<Record<string, string>> = {
  forbidden_origin: "The front door of the self-hosted process says it before any route; tested with that process.",
  output_unavailable: "For files of an application that are gone; tested with the self-hosted process.",
  upstream_unreachable: "For an application that is away; tested with the self-hosted process.",
  not_implemented: "For a surface without event streams; all three of ours have them.",
};

// Answers that only callers with scopes or a budget can get.
export const withoutScopesAndRates: Readonly<Partial<Record<SurfaceName, string>>> = {
  "self-hosted": "One's own machine: a token has no scopes, and nobody is slowed down.",
};

export const surfaceNames = everySurface;
