"""The client as it is written. `npm run openapi` writes its synchronous twin, `_sync`, from these files."""
