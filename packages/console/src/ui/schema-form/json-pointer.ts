// The names in a pointer of a schema ("#/$defs/size"), or of where a value breaks it ("/seeds/0").
export const namesInPointer = (pointer: string): string[] =>
  pointer
    .replace(/^#?\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
