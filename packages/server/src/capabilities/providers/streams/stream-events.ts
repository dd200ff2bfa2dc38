// Server-sent events in bytes that are all there. Comments and ids are skipped. An event whose blank line is missing is not an
// event (HTML standard, section 9.2.6).
export interface StreamEvent {
  readonly name: string | null;
  readonly data: string;
}

export function* streamEvents(bytes: Buffer): Generator<StreamEvent> {
  let name: string | null = null;
  let data: string[] = [];
  for (const line of linesOf(bytes)) {
    if (line === "") {
      if (data.length > 0) yield { name, data: data.join("\n") };
      name = null;
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") data.push(value);
    else if (field === "event") name = value;
  }
}

const [newline, carriageReturn] = [0x0a, 0x0d];

// Complete lines, ended by LF, CR or CRLF.
function* linesOf(bytes: Buffer): Generator<string> {
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== newline && byte !== carriageReturn) continue;
    yield bytes.toString("utf8", from, at);
    if (byte === carriageReturn && bytes[at + 1] === newline) at += 1;
    from = at + 1;
  }
}
