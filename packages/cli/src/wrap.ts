// Wraps at words to the terminal's width. A word wider than that gets its own line, uncut, so that addresses and ids can still
// be copied.
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}

// Wraps text after a label and aligns it below itself. If that leaves too little room, the text starts below the label.
export function hanging(label: string, text: string, columns: number): string[] {
  const room = columns - label.length;
  if (text.length <= room) return [`${label}${text}`.trimEnd()];
  if (room < 20) return [label.trimEnd(), ...wrapped(text, columns - 4).map((line) => `    ${line}`)];
  const [first = "", ...rest] = wrapped(text, room);
  return [`${label}${first}`, ...rest.map((line) => `${" ".repeat(label.length)}${line}`)];
}

export function cut(text: string, cells: number): string {
  return text.length > cells ? `${text.slice(0, Math.max(0, cells - 1))}…` : text;
}
