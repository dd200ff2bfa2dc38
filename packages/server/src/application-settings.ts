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
    about: "sandbox: the port of the application, on 127.0.0.1; 0 takes a free one.",
  }),
  applicationUrl: urlSetting({
    env: "ATELIER_APPLICATION_URL",
    default: null,
    about: "Where the application that runs graphs listens; http://127.0.0.1:8188 for `atelier proxy` if absent.",
  }),
  applicationFolder: textSetting({
    env: "ATELIER_APPLICATION_FOLDER",
    default: null,
    about:
      "proxy: the application's base folder, which holds input, output, temp and models. Needed for model uploads and for files that are already on disk.",
  }),
  applicationApiPort: optionalIntegerSetting({
    env: "ATELIER_APPLICATION_API_PORT",
    default: null,
    min: 0,
    max: 65535,
    about:
      "With the dialect: a port on 127.0.0.1 and ::1 for tools that speak to an application and send no credential; they act with ATELIER_APPLICATION_API_KEY.",
  }),
  applicationApiKey: secretSetting({
    env: "ATELIER_APPLICATION_API_KEY",
    default: null,
    about: "With the dialect: the API key with which callers of ATELIER_APPLICATION_API_PORT act.",
  }),
  proxyPort: integerSetting({
    env: "ATELIER_PROXY_PORT",
    default: 8189,
    min: 0,
    max: 65535,
    about: "proxy: the port to listen on, on 127.0.0.1 and ::1; 0 takes a free one.",
  }),
  proxyToken: secretSetting({
    env: "ATELIER_PROXY_TOKEN",
    default: null,
    lengthMin: 16,
    about: "proxy: a bearer token that every call must carry; nobody is asked if absent.",
  }),
  proxyHome: textSetting({
    env: "ATELIER_PROXY_HOME",
    default: null,
    about: "proxy: its data folder; atelier/proxy-<port> in the XDG state folder if absent.",
  }),
} as const;
