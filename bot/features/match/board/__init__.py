"""What a board says, without buttons: narration, crops, text board."""
