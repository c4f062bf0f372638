"""The ports: what the use cases ask of a store."""
