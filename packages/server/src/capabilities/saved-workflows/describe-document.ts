// What is kept about a document besides its bytes.
import { createHash } from "node:crypto";
import type { JsonDocument } from "../../foundation/json/json-bytes.ts";
import type { DocumentFormat } from "./saved-workflow.ts";
import { documentWords } from "./search-words.ts";
import { type NodeOutline, outlineWorkflow } from "./workflow-outline.ts";

export interface DescribedDocument {
  readonly sha256: Uint8Array;
  readonly format: DocumentFormat;
  // 0 if it is no workflow.
  readonly nodes: number;
  readonly words: readonly string[];
}

export function describeDocument(
  bytes: Buffer,
  document: JsonDocument,
  isEditorFormat: (value: unknown) => boolean,
): DescribedDocument {
  const isEditor = isEditorFormat(document.value);
  return describeNodes(bytes, isEditor ? "editor" : "api", [...outlineWorkflow(document, isEditor).values()]);
}

// No two of the nodes have the same id.
export function describeNodes(bytes: Buffer, format: DocumentFormat, nodes: readonly NodeOutline[]): DescribedDocument {
  return {
    sha256: createHash("sha256").update(bytes).digest(),
    format,
    nodes: nodes.length,
    words: documentWords(nodes),
  };
}
