// The story of a work in every other look: made and shared on one page, used on another.
import { describe, test } from "node:test";
import type { LookName, Scene } from "./scene.ts";
import { tellsStory } from "./works.pages.ts";

export function workLooks(scene: () => Scene): void {
  describe("works, in every look", () => {
    for (const look of ["dark", "phone", "phone-dark"] satisfies LookName[])
      test(`${look}: a work is made, shared, and used by a person without an account`, () => tellsStory(scene(), look));
  });
}
