"""`python -m ludus` is the command `ludus`."""

from ludus.cli import main

raise SystemExit(main())
