"""Kropka on Matrix: an adapter of the port of chat/, by the client-server API.

Source: https://spec.matrix.org/latest/client-server-api/
"""
