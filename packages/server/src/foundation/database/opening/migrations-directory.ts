import { fileURLToPath } from "node:url";

// The migrations of this program, beside its sources and beside what is built from them.
export const migrationsDirectory = fileURLToPath(new URL("../../../../migrations", import.meta.url));
