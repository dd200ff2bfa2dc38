// Where the built console is, and how it comes to be there in a checkout. A package that was installed carries it built.
export { type ConsoleBuild, type ConsoleOptions, consoleToBuild, ensureConsole } from "./ensure-console.ts";
