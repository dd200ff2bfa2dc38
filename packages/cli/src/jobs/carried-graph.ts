// A picture, sound or film as a workflow: the application and our own engine write into what they save the graph that made
// it. The file is read in pieces, so that a long film costs no more than a small picture.
import { open, stat } from "node:fs/promises";
import { graphInFile } from "@atelier/sdk";
import { unreadable } from "../files/unreadable.ts";
import { ClientProblem } from "../server/client-problem.ts";

// Null: the file is a text, and its content is the workflow. The graph as it ran goes before the editor's.
export async function carriedGraph(file: string): Promise<object | null> {
  if (file === "-") return null;
  const found = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!found.isFile()) return null;
  const handle = await open(file, "r").catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const read = async (at: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    };
    if (isText(await read(0, 16))) return null;
    const graph = await graphInFile({ size: found.size, read });
    const carried = graph?.prompt ?? graph?.workflow;
    if (carried === undefined) throw carriesNone(file);
    return carried;
  } finally {
    await handle.close();
  }
}

const magics = ["\x89PNG", "RIFF", "\xff\xd8", "fLaC", "OggS", "ID3", "\x1aE\xdf\xa3"];

// Whether it begins as none of the files that carry a graph does.
function isText(start: Uint8Array): boolean {
  const text = String.fromCharCode(...start);
  return !magics.some((magic) => text.startsWith(magic)) && !text.includes("\0");
}

const carriesNone = (file: string): ClientProblem =>
  new ClientProblem("rejected_input", "invalid_workflow", `${file} carries no workflow.`, {
    hint: "only files that were saved by a workflow carry one, and some programs take it out; name the workflow's file instead",
  });
