"""Games that people play here: what is agreed, how it goes on, who answers and who advises; for screens and pages."""
