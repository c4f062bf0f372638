"""Who a browser is: links, sessions, and where requests may come from."""
