// Which version of the application is followed: its classes and their definitions, its own arithmetic and that of the
// libraries it is commonly installed with, and its words for what is wrong with a graph.
export const applicationProfiles = ["0.7", "0.30"] as const;
export type ApplicationProfile = (typeof applicationProfiles)[number];

// The default: after an upgrade of the server every graph makes the pictures it made before, and reading one needs no ffmpeg.
export const defaultProfile: ApplicationProfile = "0.7";

// What the application of a profile says of its own version.
export const applicationVersions: Readonly<Record<ApplicationProfile, string>> = { "0.7": "0.7.0", "0.30": "0.30.0" };
