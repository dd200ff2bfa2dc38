// Settings for the node registry.
import { choiceSetting, integerSetting, listSetting, textSetting, urlSetting } from "./foundation/settings.ts";

export const registrySettings = {
  registryUpstream: urlSetting({
    env: "ATELIER_REGISTRY_UPSTREAM",
    default: null,
    about: "Another node registry whose nodes are listed and served here too. Default: none.",
  }),
  registryUpstreamSeconds: integerSetting({
    env: "ATELIER_REGISTRY_UPSTREAM_SECONDS",
    default: 300,
    min: 1,
    max: 86_400,
    about: "How often to check the upstream registry for changes, and how long its responses count as fresh.",
  }),
  registryUpstreamArchives: choiceSetting({
    env: "ATELIER_REGISTRY_UPSTREAM_ARCHIVES",
    default: "asked",
    choices: ["none", "asked", "latest"],
    about:
      "Which archives to copy from the upstream registry: none, asked (those someone requested) or latest (also the newest version of every node).",
  }),
  registryUpstreamArchiveBytes: integerSetting({
    env: "ATELIER_REGISTRY_UPSTREAM_ARCHIVE_BYTES",
    default: 20 * 1024 ** 3,
    min: 1_000_000,
    max: 1024 ** 5,
    about: "How many bytes those copies may take in total; the least recently requested ones are deleted first.",
  }),
  registryUpstreamContent: urlSetting({
    env: "ATELIER_REGISTRY_UPSTREAM_CONTENT",
    default: null,
    about: "The address of the upstream registry's archives, if it is on this machine.",
  }),
  registryRequiredFields: listSetting({
    env: "ATELIER_REGISTRY_REQUIRED_FIELDS",
    default: [],
    item: (text) => (text === "repository" || text === "license" ? null : "is neither repository nor license"),
    about: "Fields that a new node must have besides id and name: repository, license.",
  }),
  registryRules: textSetting({
    env: "ATELIER_REGISTRY_RULES",
    default: null,
    about: "A JSON file that adds rules for node archives and turns built-in ones off.",
  }),
  registryChecks: integerSetting({
    env: "ATELIER_REGISTRY_CHECKS",
    default: 1,
    min: 1,
    max: 32,
    about: "How many node archives one process checks at once, each in a child process of up to 512 MiB.",
  }),
  registryDeletedDays: integerSetting({
    env: "ATELIER_REGISTRY_DELETED_DAYS",
    default: 30,
    min: 0,
    max: 3_650,
    about: "How many days the archives of a deleted node are kept. Its version numbers can never be used again.",
  }),
  registryInstallable: listSetting({
    env: "ATELIER_REGISTRY_INSTALLABLE",
    default: [],
    item: (text) => (text === "pending" || text === "flagged" ? null : "is neither pending nor flagged"),
    about: "Which versions can be installed by number besides active ones: pending, flagged.",
  }),
  registryPublishersMax: integerSetting({
    env: "ATELIER_REGISTRY_PUBLISHERS_MAX",
    default: 5,
    min: 1,
    max: 1_000_000,
    about: "How many publishers one person, or all API keys of one workspace together, may have.",
  }),
  codeHostApiUrl: urlSetting({
    env: "ATELIER_CODE_HOST_API_URL",
    default: null,
    about:
      "The API of the code host that proves who may claim a node and provides repositories' stars. Default: https://api.github.com.",
  }),
  codeHostName: textSetting({
    env: "ATELIER_CODE_HOST_NAME",
    default: "github.com",
    about: "The host name in the URLs of that code host's repositories.",
  }),
};
