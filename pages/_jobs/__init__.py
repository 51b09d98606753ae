"""Long computations: a table of jobs, one runner process, and a desk where pages ask."""
