// Filling: making an application's folder equal to a lock, with weights from the server and from neighbours.
//   weights  pieces, neighbours, the cache

export { type Filling, startFilling } from "./fill-folder.ts";
export { filledText, fillHere, untilFilled } from "./fill-here.ts";
