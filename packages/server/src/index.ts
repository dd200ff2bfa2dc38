export { type Config, settingTable } from "./config.ts";
export { serverCommands } from "./main.ts";
export type { Command, CommandInput, CommandResult, ListedCommand } from "./processes/commands/command.ts";
export { type Gateway, type GatewayDeps, startGateway } from "./processes/gateway.ts";
