"""The league of a server: divisions of all-play-all in seasons that begin and end by themselves."""
