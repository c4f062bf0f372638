"""Messages of boards, and panels beside them."""
