"""The commands of the operator: checks, copies, replays and the local try-out."""
