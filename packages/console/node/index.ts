// Where the built console is, and the clients beside it, and how they come to be there in a checkout. A package that was installed
// carries them built.
export { type ClientPackages, ensureClients } from "./ensure-clients.ts";
export { type ConsoleBuild, type ConsoleOptions, consoleToBuild, ensureConsole } from "./ensure-console.ts";
