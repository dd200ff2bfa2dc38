export const npmScope: string;
export function versionOf(root: string): string;
export function writtenVersions(root: string): { readonly path: string; readonly version: string }[];
export function setVersion(root: string, version: string, day: string): void;
export function notesOf(root: string, version: string): string | null;
export function versionLocations(root: string): { readonly path: string; readonly patterns: readonly string[] }[];
