"""Discord's REST API, version 10: one module per kind of resource, each with its table of endpoints."""
