// Parses an event stream into frames, however its bytes are split.
export interface EventFrame {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

const frameEnd = /\r\n\r\n|\n\n|\r\r/;

// Yields null for a comment, which only shows that the server is alive.
export async function* eventFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<EventFrame | null, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      for (;;) {
        const end = frameEnd.exec(rest);
        if (end === null) break;
        yield readFrame(rest.slice(0, end.index));
        rest = rest.slice(end.index + end[0].length);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export function readFrame(text: string): EventFrame | null {
  let [event, id]: [string, string | null] = ["message", null];
  const data: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const at = line.indexOf(":");
    if (at <= 0) continue;
    const value = line.slice(line[at + 1] === " " ? at + 2 : at + 1);
    const name = line.slice(0, at);
    if (name === "event") event = value;
    else if (name === "id") id = value;
    else if (name === "data") data.push(value);
  }
  return data.length === 0 ? null : { event, id, data: data.join("\n") };
}
