// The application's binary websocket frames, big-endian. A preview names its node and prompt only for clients that said they
// understand it; for others it is just a picture.
export interface PreviewOwner {
  readonly nodeId: string;
  readonly promptId: string;
}

export interface PreviewPicture {
  readonly contentType: "image/png" | "image/jpeg";
  readonly bytes: Uint8Array;
}

// A node as messages name it.
export function presentOwner({ nodeId: id, promptId }: PreviewOwner): object {
  return { node_id: id, prompt_id: promptId, display_node_id: id, parent_node_id: null, real_node_id: id };
}

const previewWithoutOwner = 1;
const previewWithOwner = 4;

export function ownedPreview(owner: PreviewOwner, picture: PreviewPicture): Buffer {
  const about = Buffer.from(JSON.stringify({ ...presentOwner(owner), image_type: picture.contentType }));
  return Buffer.concat([words(previewWithOwner, about.length), about, picture.bytes]);
}

export function barePreview(picture: PreviewPicture): Buffer {
  return Buffer.concat([words(previewWithoutOwner, picture.contentType === "image/jpeg" ? 1 : 2), picture.bytes]);
}

function words(first: number, second: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(first, 0);
  head.writeUInt32BE(second, 4);
  return head;
}
