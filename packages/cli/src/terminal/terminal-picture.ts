// Shows pictures inside a terminal that can: kitty's protocol (PNG in pieces), iTerm2's (any picture the terminal knows) and
// sixels (which we draw, from PNG). We detect it from the environment only; asking the terminal would mean reading its answer
// from the keyboard.
import { pngPixels } from "./png-pixels.ts";
import { sixelText } from "./sixel.ts";

export type PictureTerminal = "kitty" | "iterm" | "sixel";

export function pictureTerminal(env: Readonly<Record<string, string | undefined>>): PictureTerminal | null {
  // A multiplexer swallows or garbles both.
  if ((env["TMUX"] ?? "") !== "" || (env["STY"] ?? "") !== "") return null;
  const term = env["TERM"] ?? "";
  const program = env["TERM_PROGRAM"] ?? "";
  if (term === "xterm-kitty" || (env["KITTY_WINDOW_ID"] ?? "") !== "") return "kitty";
  if (program === "ghostty" || term === "xterm-ghostty") return "kitty";
  if (["iTerm.app", "WezTerm", "vscode", "mintty"].includes(program) || env["LC_TERMINAL"] === "iTerm2") return "iterm";
  return /^(foot|mlterm|yaft|contour)|sixel/.test(term) ? "sixel" : null;
}

const pieceCharacters = 4096;
const rows = 16;

// Null if this terminal cannot show it.
export function pictureText(terminal: PictureTerminal, bytes: Uint8Array, contentType: string): string | null {
  if (!contentType.startsWith("image/")) return null;
  const base64 = Buffer.from(bytes).toString("base64");
  if (terminal === "iterm")
    return `\u001b]1337;File=inline=1;height=${rows};preserveAspectRatio=1;size=${bytes.length}:${base64}\u0007`;
  if (!contentType.startsWith("image/png")) return null;
  if (terminal === "sixel") {
    const pixels = pngPixels(bytes);
    return pixels && sixelText(pixels);
  }
  const pieces = base64.match(new RegExp(`.{1,${pieceCharacters}}`, "g")) ?? [];
  return pieces
    .map((piece, index) => {
      const more = index < pieces.length - 1 ? 1 : 0;
      const keys = index === 0 ? `a=T,f=100,r=${rows},m=${more}` : `m=${more}`;
      return `\u001b_G${keys};${piece}\u001b\\`;
    })
    .join("");
}
