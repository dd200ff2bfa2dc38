// Crops a rectangle out of every picture of a batch.

import { NodeError } from "../execution/node-error.ts";
import type { NodeContext } from "../execution/node-runner.ts";
import type { Mask, Picture } from "./picture.ts";

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

// Parts outside are dropped, so the result may be smaller than requested, but never empty.
export function cropped<Kind extends Picture | Mask>(value: Kind, wanted: Rectangle, context: NodeContext): Kind {
  const width = Math.min(wanted.width, value.width - wanted.x);
  const height = Math.min(wanted.height, value.height - wanted.y);
  if (width < 1 || height < 1) throw new NodeError("The rectangle is outside the picture.");
  const channels = value.kind === "image" ? value.channels : 1;
  const data = context.floats(value.batch * height * width * channels, "A cropped picture");
  const rowLength = width * channels;
  for (let index = 0; index < value.batch; index++) {
    for (let y = 0; y < height; y++) {
      const from = ((index * value.height + wanted.y + y) * value.width + wanted.x) * channels;
      data.set(value.data.subarray(from, from + rowLength), (index * height + y) * rowLength);
    }
  }
  return { ...value, width, height, data };
}
