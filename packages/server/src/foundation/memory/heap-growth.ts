// How far the heap may grow before V8 marks all of it again. Left to itself, V8 gives a server that was at rest a few megabytes,
// and counts the buffers of sockets among them: an upload of 300 MB marked the whole heap 35 times, for half of its processor
// time. With room for as much again it does so four times (measured), and what is garbage is given back at rest.
import { setFlagsFromString } from "node:v8";

const morePercent = 100;

export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${morePercent}`);
}
