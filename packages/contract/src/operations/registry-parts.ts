// What the registry's operations share: their path parameters and conditional reads.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { PublisherId } from "../node-registry.ts";

export const nodeId = Type.String({ minLength: 1, description: "The node's id, case-insensitive." });
export const nodeParams = Type.Object({ nodeId });
export const publisherParams = Type.Object({ publisherId: PublisherId });
export const conditional = Type.Object({ [headerName.ifNoneMatch]: Type.Optional(Type.String()) });
