// The names in a pointer: into a schema ("#/$defs/size"), or to an invalid value ("/seeds/0").
export const namesInPointer = (pointer: string): string[] =>
  pointer
    .replace(/^#?\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
