// A real terminal for a command: tmux on a separate server, which is ended by its name.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { programMsMax } from "../../../server/test/support/limits.ts";
import { ownEnvironment } from "./command-line.ts";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface TerminalScreen {
  // The text on the screen now.
  text(): string;
  press(key: string): void;
  resize(columns: number): void;
  close(): void;
}

export function openScreen(words: readonly string[], env: Readonly<Record<string, string>>): TerminalScreen {
  // Keep it short: the socket's whole path is limited to about 100 bytes.
  const name = randomUUID().slice(0, 8);
  const tmux = (...more: string[]): string =>
    spawnSync("tmux", ["-L", name, "-f", "/dev/null", ...more], {
      encoding: "utf8",
      timeout: programMsMax,
      env: { ...ownEnvironment, TMUX_TMPDIR: ownEnvironment["HOME"] ?? "", TERM: "xterm-256color", ...env },
    }).stdout;
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  // Keeps the terminal open after the command ends, so that its last output can be read.
  const script = `trap : INT; ${line}; echo "EXIT $?"; sleep 3600`;
  tmux("-u", "new-session", "-d", "-x", "140", "-y", "30", "sh", "-c", script);
  return {
    text: () => tmux("capture-pane", "-p"),
    resize: (columns) => void tmux("resize-window", "-x", String(columns)),
    press: (key) => void tmux("send-keys", key),
    close: () => void tmux("kill-server"),
  };
}
