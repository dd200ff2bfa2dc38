// What a caller is shown of a task, as a tree whose leaves say where their value comes from. Values of partner and caller
// are copied verbatim, so a 64-bit number keeps its digits. A leaf without a value omits its member.
import { type Static, Type } from "typebox";

const pointer = Type.String({ pattern: "^(/[^/]*)*$", maxLength: 200 });
const closed = { additionalProperties: false };
const states = Type.Optional(
  Type.Array(
    Type.Union([Type.Literal("created"), Type.Literal("running"), Type.Literal("completed"), Type.Literal("failed")]),
    { minItems: 1, maxItems: 4, description: "Only in these states; always if absent." },
  ),
);

const leaves = {
  id: Type.Object({ from: Type.Literal("id") }, closed),
  status: Type.Object({ from: Type.Literal("status") }, closed),
  answer: Type.Object(
    {
      from: Type.Literal("answer"),
      pointer,
      in: states,
      or_request: Type.Optional(pointer),
      otherwise: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
  request: Type.Object({ from: Type.Literal("request"), pointer, otherwise: Type.Optional(Type.Unknown()) }, closed),
  error: Type.Object(
    { from: Type.Literal("error"), part: Type.Union([Type.Literal("code"), Type.Literal("message")]) },
    closed,
  ),
  time: Type.Object(
    { from: Type.Literal("time"), of: Type.Union([Type.Literal("created"), Type.Literal("ended")]) },
    closed,
  ),
  duration: Type.Object({ from: Type.Literal("duration") }, closed),
};

export const View = Type.Cyclic(
  {
    View: Type.Union([
      leaves.id,
      leaves.status,
      leaves.answer,
      leaves.request,
      leaves.error,
      leaves.time,
      leaves.duration,
      Type.Object(
        { from: Type.Literal("object"), in: states, members: Type.Record(Type.String(), Type.Ref("View")) },
        closed,
      ),
    ]),
  },
  "View",
);
export type View = Static<typeof View>;
