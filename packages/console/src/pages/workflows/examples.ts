// Two graphs to begin with. As texts: a seed in them is beyond what a script's numbers hold.
import firstPicture from "./examples/first-picture.json?raw";
import lantern from "./examples/lantern.json?raw";

export interface Example {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly text: string;
  // It calls a model of this server's own router.
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
