// Why a backup cannot be made or restored; the sentence is for the operator.
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}
