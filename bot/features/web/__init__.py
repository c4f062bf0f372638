"""What the web board needs of Discord and of the catalogues."""
