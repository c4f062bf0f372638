"""The features, one folder a subject: its commands, buttons, forms and panels."""
