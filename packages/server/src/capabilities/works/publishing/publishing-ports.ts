// What publishing asks of the rest of the server, as plain functions.
import type { KeyId, WorkspaceId } from "../../../foundation/ids.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import type { JsonRecord } from "../../../foundation/json/json-record.ts";
import type { AssetId } from "../../assets/index.ts";
import type { NewAuditEntry } from "../../audit/index.ts";
import type { Author } from "../../saved-workflows/index.ts";
import type { WorkForm } from "../form/work-form.ts";

export interface WorkCaller {
  readonly workspaceId: WorkspaceId;
  // Pays for the examples; null for a person.
  readonly keyId: KeyId | null;
  // For the audit.
  readonly acting: Pick<NewAuditEntry, "actor" | "requestId">;
  readonly author: Author;
}

export interface GraphFile {
  readonly id: AssetId;
  readonly name: string;
  readonly sha256: string;
}

export interface ExampleRun {
  readonly jobId: string;
  readonly assets: readonly { readonly id: AssetId; readonly isPicture: boolean }[];
  // Null if it succeeded.
  readonly problem: { readonly message: string; readonly nodeId: string | null } | null;
}

export interface ExpandedGraph {
  readonly graph: JsonDocument;
  // With the inputs of works inside the graph moved to the nodes that they became.
  readonly form: WorkForm;
  // Ids of the versions that it contains.
  readonly works: readonly string[];
}

export interface PublishingPorts {
  // Puts the nodes of works inside the graph in their place. Throws validation_failed.
  expand(request: {
    readonly workspaceId: WorkspaceId;
    // The id that it will have: a work cannot contain itself.
    readonly modelId: string;
    readonly graph: JsonDocument;
    readonly form: WorkForm;
  }): Promise<ExpandedGraph>;
  // The graph with names of uploads as references to them, so that a later upload of the same name changes nothing. Throws
  // missing_asset.
  resolveFiles(
    workspaceId: WorkspaceId,
    graph: JsonDocument,
  ): Promise<{ readonly graph: JsonRecord; readonly files: readonly GraphFile[] }>;
  // Throws what a submission of the graph would be refused with. With `mayComeLater`, it can name files that are not there yet.
  checkGraph(caller: WorkCaller, graph: Buffer, files: { readonly mayComeLater: boolean }): Promise<void>;
  // Runs the graph as a job of the caller's workspace and waits for its end. Throws what a submission throws, and what ends the
  // wait: the job is then canceled.
  runExample(
    caller: WorkCaller,
    example: { readonly graph: Buffer; readonly workflowId: string },
    signal: AbortSignal,
  ): Promise<ExampleRun>;
  // Null if there is no such workspace.
  workspaceName(workspaceId: WorkspaceId): Promise<string | null>;
  modelsOf(classType: string, inputs: Readonly<Record<string, unknown>>): readonly string[];
  // Null for models that have no stored definition.
  definitionVersion(modelId: string): Promise<number | null>;
}
