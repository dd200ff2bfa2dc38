// Server-sent events over fetch, because the browser's EventSource cannot send a credential.
export interface StreamFrame {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamFrame, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const frame = frameIn(block);
        if (frame !== null) yield frame;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

// Null for a sign of life, which carries nothing.
function frameIn(block: string): StreamFrame | null {
  let event = "message";
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    if (name === "event") event = value;
    else if (name === "id") id = value;
    else if (name === "data") data.push(value);
  }
  return data.length === 0 ? null : { event, id, data: data.join("\n") };
}
