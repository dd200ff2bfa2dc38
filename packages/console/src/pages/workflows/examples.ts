// Two graphs to start with. Loaded as text, because one of their seeds does not fit a JavaScript number.
import { workflows as words } from "#strings/workflows";
import firstPicture from "./examples/first-picture.json?raw";
import lantern from "./examples/lantern.json?raw";

export interface Example {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly text: string;
  // Whether it calls a model of this server's router.
  readonly callsModel: boolean;
}

export const examples: readonly Example[] = [
  {
    name: "first-picture",
    ...words.examples.firstPicture,
    text: firstPicture,
    callsModel: true,
  },
  {
    name: "lantern",
    ...words.examples.lantern,
    text: lantern,
    callsModel: false,
  },
];
