// Two graphs to start with. Loaded as text, because one of their seeds does not fit a JavaScript number.
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
    title: "First picture",
    about: "a model paints a lighthouse, nodes frame it. It costs what the model costs.",
    text: firstPicture,
    callsModel: true,
  },
  {
    name: "lantern",
    title: "Lantern",
    about: "colours, a soft mask and some haze. Nodes only: it costs nothing and takes a second.",
    text: lantern,
    callsModel: false,
  },
];
