// Calls to copy into a shell. The key comes from its environment.
import type { ModelDocument } from "../../api/model-document.ts";
import { snippetOf } from "../../ui/snippets/model-call/snippets.ts";
import { extensionOf } from "../../ui/viewers/found-media.ts";

export const firstCall = (base: string): string =>
  `curl ${base}/v1/models/sandbox/image-1 \\\n  -H "Authorization: Bearer $ATELIER_API_KEY" \\\n  -H 'Content-Type: application/json' -d '{"prompt": "a red fox"}'`;

// The same model and way of running, with an input that it takes.
export const sameCall = (
  base: string,
  given: {
    readonly model: string;
    readonly isQueued: boolean;
    readonly document: Pick<ModelDocument, "output" | "outputType">;
    readonly input: Readonly<Record<string, unknown>>;
  },
): string => {
  const { output, outputType } = given.document;
  return snippetOf.curl({
    baseUrl: base,
    model: given.model,
    input: given.input,
    textFields: new Set(),
    isQueued: given.isQueued,
    answerFile: output === null ? `answer.${extensionOf(outputType)}` : null,
  });
};
