"""The offline file: one HTML document per state that holds all it needs and asks for nothing."""
