"""Plain rules become compiled rules: linking, the cache, the clock, bit tricks. For the searches."""
