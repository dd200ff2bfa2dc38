// What the studio's threads can be asked for, and the doing of it: typed arrays only, nothing that waits.
import { type AnimationRequest, renderAnimation } from "../pictures/animation.ts";
import { type PictureRequest, renderPicture } from "../pictures/picture.ts";
import { speak, type VoiceRequest } from "./voice.ts";

export type StudioTask =
  | ({ readonly kind: "picture" } & PictureRequest)
  | ({ readonly kind: "animation" } & AnimationRequest)
  | ({ readonly kind: "voice" } & VoiceRequest);

export type StudioReply = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly failure: string };

export function perform(task: StudioTask): Uint8Array<ArrayBuffer> {
  switch (task.kind) {
    case "picture":
      return renderPicture(task);
    case "animation":
      return renderAnimation(task);
    case "voice":
      return speak(task);
  }
}
