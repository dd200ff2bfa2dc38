// Which version of the application we follow: its classes and their definitions, its arithmetic and that of the libraries it is
// commonly installed with, and its wording for what is wrong with a graph.
export const applicationProfiles = ["0.7", "0.30"] as const;
export type ApplicationProfile = (typeof applicationProfiles)[number];

// The default: after an upgrade of the server every graph makes the same pictures as before, and reading one needs no ffmpeg.
export const defaultProfile: ApplicationProfile = "0.7";

// The version that the application of a profile reports.
export const applicationVersions: Readonly<Record<ApplicationProfile, string>> = { "0.7": "0.7.0", "0.30": "0.30.0" };
