"""What the synchronous and the asynchronous client share: everything that sends nothing."""
