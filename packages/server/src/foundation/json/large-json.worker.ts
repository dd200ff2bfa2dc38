// The thread that parses large bodies whose values are needed: see large-json.ts. It returns them as texts of a size that takes
// a millisecond or two to parse.
import { bufferOf, serveThread } from "../own-thread.ts";
import { type ReadJsonOptions, readWhole } from "./read-json.ts";

export interface LargeJsonTask extends ReadJsonOptions {
  readonly bytes: Uint8Array;
}

export interface LargeJsonPieces {
  // The text of a value that is not an object. Null if it is an object, which comes in pieces.
  readonly whole: string | null;
  // Objects whose members belong to the outermost object, or to the object in its member `of`.
  readonly members: readonly Piece[];
  // JSON texts of lists of [pointer, digits].
  readonly exact: readonly string[];
  readonly hash: Uint8Array;
}

interface Piece {
  readonly of: string | null;
  // A list whose items follow those already in that member of `of`. If absent, the text is an object.
  readonly list?: string;
  readonly text: string;
}

const pieceCharacters = 128 * 1024;
const entriesPerPiece = 2000;

serveThread<LargeJsonTask, LargeJsonPieces>(({ bytes, ...options }) => {
  const { value, exactIntegers, hash } = readWhole(bufferOf(bytes), options);
  const exact: string[] = [];
  const entries = [...exactIntegers];
  for (let at = 0; at < entries.length; at += entriesPerPiece)
    exact.push(JSON.stringify(entries.slice(at, at + entriesPerPiece)));
  if (!isObject(value)) return { whole: JSON.stringify(value), members: [], exact, hash };
  const members: Piece[] = [];
  for (const [name, member] of Object.entries(value)) {
    const text = `{${JSON.stringify(name)}:${JSON.stringify(member)}}`;
    const isSplit = text.length > pieceCharacters && isObject(member) && Object.keys(member).length > 1;
    if (isSplit) members.push(...piecesOf(name, member));
    else members.push({ of: null, text });
  }
  return { whole: null, members: merged(members), exact, hash };
});

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Long lists among the members (an editor's nodes and links) are sent item by item, other members whole.
function piecesOf(of: string, object: object): Piece[] {
  const whole: string[] = [];
  const lists: Piece[] = [];
  for (const [name, member] of Object.entries(object)) {
    const text = JSON.stringify(member);
    if (text.length <= pieceCharacters || !Array.isArray(member)) whole.push(`${JSON.stringify(name)}:${text}`);
    else {
      whole.push(`${JSON.stringify(name)}:[]`);
      const items = packed(member.map((item) => JSON.stringify(item)));
      lists.push(...items.map((piece) => ({ of, list: name, text: `[${piece.slice(1, -1)}]` })));
    }
  }
  return [...packed(whole).map((text) => ({ of, text })), ...lists];
}

// Small members of the outermost object share a piece.
function merged(members: readonly Piece[]): Piece[] {
  const own = packed(members.filter(({ of }) => of === null).map(({ text }) => text.slice(1, -1)));
  return [...own.map((text) => ({ of: null, text })), ...members.filter(({ of }) => of !== null)];
}

function packed(parts: readonly string[]): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let characters = 0;
  for (const part of parts) {
    if (characters > 0 && characters + part.length > pieceCharacters) {
      pieces.push(`{${piece.join(",")}}`);
      piece = [];
      characters = 0;
    }
    piece.push(part);
    characters += part.length;
  }
  if (piece.length > 0) pieces.push(`{${piece.join(",")}}`);
  return pieces;
}
