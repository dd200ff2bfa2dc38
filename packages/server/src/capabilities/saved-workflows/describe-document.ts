// What is kept about a document besides its bytes.
import { createHash } from "node:crypto";
import type { JsonDocument } from "../../foundation/json/json-bytes.ts";
import type { DocumentFormat } from "./saved-workflow.ts";
import { documentWords } from "./search-words.ts";
import { outlineWorkflow } from "./workflow-outline.ts";

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
  const outline = outlineWorkflow(document, isEditor);
  return {
    sha256: createHash("sha256").update(bytes).digest(),
    format: isEditor ? "editor" : "api",
    nodes: outline.size,
    words: documentWords(outline),
  };
}
