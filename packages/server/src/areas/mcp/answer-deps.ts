// What it takes to answer an agent. In a separate file, so that importing the type loads nothing.
import type { PriceWorks, Works } from "../../capabilities/works/index.ts";
import type { OpenPicture, ShrinkPicture } from "./pictures.ts";

export interface AnswerMcpDeps {
  // Where this process listens.
  readonly ownUrl: () => string;
  readonly version: string;
  readonly openPicture: OpenPicture;
  // The works that a workspace may call.
  readonly listWorks: Works["callable"];
  readonly priceWorks: PriceWorks;
  readonly shrinkPicture: ShrinkPicture;
}
