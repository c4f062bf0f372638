"""How what people type and click is taken, judged and answered."""
