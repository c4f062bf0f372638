"""What the site says: matches, games and servers in the words of presentation/, as values that pages show."""
