"""What every chat platform shares: lines and presses are read here, and answered through the platform's port."""
