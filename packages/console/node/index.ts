// Locates the built console and the clients next to it, and builds them in a checkout. An installed package contains them
// already built.
export { type ClientPackages, ensureClients } from "./ensure-clients.ts";
export { type ConsoleBuild, type ConsoleOptions, consoleToBuild, ensureConsole } from "./ensure-console.ts";
