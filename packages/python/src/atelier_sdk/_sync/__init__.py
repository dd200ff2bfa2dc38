"""The synchronous client. `npm run openapi` writes these files from `_async`; edit those."""
