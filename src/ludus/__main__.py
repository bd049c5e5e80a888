"""`python -m ludus` is the command `ludus`."""

import sys

if not sys.flags.safe_path:
    sys.path.pop(0)  # the current folder: a bot called random.py there must not be imported

from ludus.cli import main

raise SystemExit(main())
