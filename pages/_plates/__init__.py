"""The figures of each explorer's page: name, words, and the function that draws it."""
