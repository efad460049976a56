"""`python -m ruledsl` is the command `ruledsl`."""

import sys

from ruledsl.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
