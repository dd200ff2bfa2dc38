// Where a release comes from, as an in-toto statement with a SLSA provenance predicate: the commit, the lock file, the builder,
// and the hash of every file. It names no time but the commit's, so that the same commit gives the same statement. It is not
// signed; the publisher signs it.
export function provenanceOf({ version, scope, commit, seconds, subjects, lock }) {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:atelier:npm-run-release:v1",
        externalParameters: { version, scope, commit },
        internalParameters: { command: "npm run release" },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: commit } },
          { name: "package-lock.json", digest: { sha256: lock } },
        ],
      },
      runDetails: {
        builder: {
          id: "urn:atelier:local-builder",
          version: { node: process.version, platform: `${process.platform}-${process.arch}` },
        },
        metadata: { invocationId: commit, startedOn: new Date(seconds * 1000).toISOString() },
      },
    },
  };
}
