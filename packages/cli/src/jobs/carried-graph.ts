// Takes a picture, sound or video as the workflow: the application and our engine write into what they save the graph that made
// it. We read the file in pieces, so a long video costs no more than a small picture.
import { open, stat } from "node:fs/promises";
import { graphInFile } from "@atelier/sdk";
import { unreadable } from "../files/unreadable.ts";
import { ClientProblem } from "../server/client-problem.ts";

// Null if the file is text and its content is the workflow. The graph as it ran is preferred over the editor's.
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

// Whether it starts like none of the file types that carry a graph.
function isText(start: Uint8Array): boolean {
  const text = String.fromCharCode(...start);
  return !magics.some((magic) => text.startsWith(magic)) && !text.includes("\0");
}

const carriesNone = (file: string): ClientProblem =>
  new ClientProblem("rejected_input", "invalid_workflow", `${file} contains no workflow.`, {
    hint: "only files saved by a workflow contain it, and some programs strip it; pass the workflow's JSON file instead",
  });
