// The page of a board. The branch `board` brings the whole of it.
