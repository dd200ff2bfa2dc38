export { type CheckProvider, type ConformanceReport, checkProvider, type Finding } from "./check-provider.ts";
export { ProviderFixtures } from "./fixtures.ts";
export { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";
