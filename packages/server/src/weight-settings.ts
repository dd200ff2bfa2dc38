// Settings for weights that operators keep.
import { listSetting } from "./foundation/settings.ts";

export const weightSettings = {
  weightHosts: listSetting({
    env: "ATELIER_WEIGHT_HOSTS",
    default: [],
    item: (text) =>
      /^(?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/.test(text)
        ? null
        : "is not a host name such as models.example",
    about:
      "Hosts that weights may be fetched from over https, such as models.example or *.cdn.example. Redirects must stay on these hosts. Default: none.",
  }),
};
