export { checkModels, type VerifiedModel } from "./check-models.ts";
export { type ConformanceReport, checkProvider } from "./check-provider.ts";
export type { TextCheck } from "./check-texts.ts";
export { type DefinitionTexts, definitionTexts } from "./definition-texts.ts";
export { type FixtureAnswer, ProviderFixtures } from "./fixtures.ts";
export { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";
export { type StandIns, standInsOf } from "./stand-ins.ts";
