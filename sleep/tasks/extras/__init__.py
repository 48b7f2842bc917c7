"""Tasks beside the product, most behind an extra: `relay.*`, `conversation.*`, `bench.*`, `mcp`."""
