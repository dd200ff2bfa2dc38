// Colour and symbols: only on a terminal, and only what that terminal can show. Colour only ever means state.
export interface Look {
  readonly isColoured: boolean;
  readonly isUnicode: boolean;
}

interface Stream {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export function detectLook({ isTerminal, env, platform }: Stream, noColour: boolean): Look {
  const isForced = (env["FORCE_COLOR"] ?? "") !== "" && env["FORCE_COLOR"] !== "0";
  const isRefused = noColour || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return {
    isColoured: !isRefused && (isTerminal || isForced),
    // Pipes and files are UTF-8 regardless of the terminal's locale.
    isUnicode: !isTerminal || platform === "win32" || platform === "darwin" || /utf-?8/i.test(locale),
  };
}

const plainForms: readonly [RegExp, string][] = [
  [/✓/g, "ok"],
  [/✕/g, "x"],
  [/→/g, "->"],
  [/…/g, "..."],
  [/–/g, "-"],
];

export function shown(text: string, look: Look): string {
  if (look.isUnicode) return text;
  return plainForms.reduce((sofar, [symbol, form]) => sofar.replace(symbol, form), text);
}

const colours = { dim: 2, red: 31, green: 32, yellow: 33 } as const;

export function coloured(text: string, colour: keyof typeof colours, look: Look): string {
  return look.isColoured ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text;
}

// The marks that begin a line of a report.
export function colouredMarks(text: string, look: Look): string {
  if (!look.isColoured) return text;
  return text.replace(/^[✓!✕](?= )/gm, (mark) =>
    coloured(mark, mark === "✓" ? "green" : mark === "!" ? "yellow" : "red", look),
  );
}
