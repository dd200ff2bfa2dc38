// The versions of the editor that our tests ran with, and the hash of each one's wheel. Others work as far as they resemble
// these. Of the editor itself, nothing is here: it has its own licence (GPL-3.0), and operators install it.
export const editorPackage = "comfyui-frontend-package";

const testedVersions: ReadonlyMap<string, string> = new Map([
  ["1.58.1", "37912597537a731a8f421179618a736c24184c5bdbfa327f38b2fb7c291852d9"],
]);

// What an install without a version gets.
export const newestTested = [...testedVersions.keys()].at(-1) ?? "";

// "altered": the wheel calls itself a version that we tested, but is not the one that we tested.
export type Trial = "tested" | "not_tested" | "altered";

export function trialOf(version: string, sha256: string, tested = testedVersions): Trial {
  const known = tested.get(version);
  if (known === undefined) return "not_tested";
  return known === sha256 ? "tested" : "altered";
}
