// What it takes to answer an agent. In a separate file, so that importing the type loads nothing.
import type { OpenPicture, ShrinkPicture } from "./pictures.ts";

export interface AnswerMcpDeps {
  // Where this process listens.
  readonly ownUrl: () => string;
  readonly version: string;
  readonly openPicture: OpenPicture;
  readonly shrinkPicture: ShrinkPicture;
}
