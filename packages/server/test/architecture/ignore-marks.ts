// Why a check may be switched off for one line. A mark in a comment names its check and one of these reasons, word for
// word; `ignore-marks.architecture.test.ts` rejects any other. Add a reason only if the code cannot be written so that
// the check passes.
export const ignoreReasons: Readonly<Record<string, readonly string[]>> = {
  "@ts-expect-error": ["the type must refuse this"],
  "biome-ignore lint/a11y/noNoninteractiveTabindex": ["keys move the pictures"],
  "biome-ignore lint/a11y/noStaticElementInteractions": ["what is within does the same"],
  "biome-ignore lint/a11y/useKeyWithClickEvents": ["the field above has the keys"],
  "biome-ignore lint/a11y/useMediaCaption": ["what users and models make has no captions"],
  "biome-ignore lint/correctness/useExhaustiveDependencies": ["runs at a change of what it does not read"],
  "biome-ignore lint/suspicious/noArrayIndexKey": ["an entry is its position"],
  "biome-ignore lint/suspicious/noControlCharactersInRegex": ["control characters are what it looks for"],
  "biome-ignore lint/suspicious/noDocumentCookie": ["the other way is asynchronous and needs TLS"],
  "biome-ignore lint/suspicious/noEmptyInterface": ["extended by declaration merging"],
  "biome-ignore lint/suspicious/noExplicitAny": ["a manifest may hold anything, and is asked for what it should"],
};
