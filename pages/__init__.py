"""Pages of the explorer: one module per URL; parts they share are in ``_`` folders."""
