"""Parts that every page is made of."""
