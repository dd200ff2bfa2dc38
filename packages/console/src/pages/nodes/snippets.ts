// Commands of the registry, as people type them.
export const installNode = (nodeId: string): string => `atelier nodes install ${nodeId} -o custom_nodes/`;

export const publishNode = (nodeId: string, publisherId: string): string =>
  [
    `atelier nodes init ${nodeId} --publisher ${publisherId}`,
    `atelier nodes validate ${nodeId}`,
    `atelier nodes publish ${nodeId}`,
  ].join("\n");

export const publishWithToken = "ATELIER_PUBLISHER_TOKEN=… atelier nodes publish my-node";

export const publishSteps = (server: string, publisherId: string) => ({
  login: `atelier login ${server}`,
  init: `atelier nodes init my-node --publisher ${publisherId}`,
  validate: "atelier nodes validate my-node",
  dryRun: "atelier nodes publish my-node --dry-run",
  publish: "atelier nodes publish my-node",
  review: "atelier nodes review my-node@0.1.0",
});
