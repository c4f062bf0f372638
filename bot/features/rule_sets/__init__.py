"""Own rule sets of players and servers: their panels, and the form that names one."""
