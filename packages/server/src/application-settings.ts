// Settings for an application that runs graphs: its address, and the proxy in front of it. Part of the table in config.ts.
import {
  integerSetting,
  optionalIntegerSetting,
  secretSetting,
  textSetting,
  urlSetting,
} from "./foundation/settings.ts";

export const applicationSettings = {
  sandboxApplicationPort: integerSetting({
    env: "ATELIER_SANDBOX_APPLICATION_PORT",
    default: 8188,
    min: 0,
    max: 65535,
    about: "sandbox: the application's port on 127.0.0.1; 0 picks a free one.",
  }),
  applicationUrl: urlSetting({
    env: "ATELIER_APPLICATION_URL",
    default: null,
    about: "The URL of the application that runs graphs. Default for `atelier proxy`: http://127.0.0.1:8188.",
  }),
  applicationFolder: textSetting({
    env: "ATELIER_APPLICATION_FOLDER",
    default: null,
    about:
      "proxy: the application's base folder, with input, output, temp and models. Required for model uploads and for files that are already on disk.",
  }),
  applicationApiPort: optionalIntegerSetting({
    env: "ATELIER_APPLICATION_API_PORT",
    default: null,
    min: 0,
    max: 65535,
    about:
      "With the dialect: a port on 127.0.0.1 and ::1 for tools that call an application without a credential. They use ATELIER_APPLICATION_API_KEY.",
  }),
  applicationApiKey: secretSetting({
    env: "ATELIER_APPLICATION_API_KEY",
    default: null,
    about: "With the dialect: the API key used for callers of ATELIER_APPLICATION_API_PORT.",
  }),
  proxyPort: integerSetting({
    env: "ATELIER_PROXY_PORT",
    default: 8189,
    min: 0,
    max: 65535,
    about: "proxy: the port to listen on, on 127.0.0.1 and ::1; 0 picks a free one.",
  }),
  proxyToken: secretSetting({
    env: "ATELIER_PROXY_TOKEN",
    default: null,
    lengthMin: 16,
    about: "proxy: a bearer token that every call must send. Default: no token is required.",
  }),
  proxyHome: textSetting({
    env: "ATELIER_PROXY_HOME",
    default: null,
    about: "proxy: its data folder. Default: atelier/proxy-<port> in the XDG state folder.",
  }),
} as const;
