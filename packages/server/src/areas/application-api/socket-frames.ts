// The application's frames: JSON texts, and previews as binary frames with big-endian numbers.
import type { JobPreview } from "../../capabilities/jobs/index.ts";

const plainPreview = 1;
const namedPreview = 4;
const formats: Readonly<Record<string, number>> = { "image/jpeg": 1, "image/png": 2 };

// `isNamed`: the client understands a preview that names its prompt. Null if the client does not understand this kind.
export function previewFrame(preview: JobPreview, promptId: string, isNamed: boolean): Buffer | null {
  const format = formats[preview.contentType];
  if (!isNamed) return format === undefined ? null : Buffer.concat([words(plainPreview, format), preview.bytes]);
  const { nodeId } = preview;
  const about = Buffer.from(
    JSON.stringify({
      node_id: nodeId,
      prompt_id: promptId,
      display_node_id: nodeId,
      parent_node_id: null,
      real_node_id: nodeId,
      image_type: preview.contentType,
    }),
  );
  return Buffer.concat([words(namedPreview, about.byteLength), about, preview.bytes]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}
