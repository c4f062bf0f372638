"""What features share: names, locales, channels, rate limits, drawing."""
