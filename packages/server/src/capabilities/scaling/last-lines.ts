// The last lines that a program wrote, to show why it ended. Bounded, however much it writes.

const linesMax = 20;
const charactersMax = 300;

export class LastLines {
  #lines: string[] = [];
  #rest = "";

  add(chunk: Buffer | string): void {
    const pieces = (this.#rest + chunk.toString()).split(/\r?\n|\r/);
    this.#rest = (pieces.pop() ?? "").slice(-charactersMax);
    for (const piece of pieces) if (piece.trim() !== "") this.#lines.push(piece.slice(0, charactersMax));
    this.#lines = this.#lines.slice(-linesMax);
  }

  get(): string[] {
    return (this.#rest.trim() === "" ? this.#lines : [...this.#lines, this.#rest]).slice(-linesMax);
  }
}
