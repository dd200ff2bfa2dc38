// Settings for node classes that are declared in files, and for trying them without a key.
import { choiceSetting, listSetting } from "./foundation/settings.ts";

export const partnerNodeSettings = {
  providerNodes: listSetting({
    env: "ATELIER_PROVIDER_NODES",
    default: [],
    about: "Files with node classes that call models, in addition to the shipped ones.",
  }),
  standIns: choiceSetting({
    env: "ATELIER_STAND_INS",
    default: "off",
    choices: ["on", "off"],
    about:
      "Whether the sandbox stands in for shipped providers without a credential, so that their models and node classes can be tried before anyone pays. Results are the sandbox's own, prices the real ones.",
  }),
};
