"""Holds flows and surfaces of two files, and the demo's assistant, against a2ui-core; or the program of a new package."""

import sys

from demo import use_demo, use_new_package
from flows import compare_flows
from surfaces import compare_surfaces

if __name__ == "__main__":
    if sys.argv[1] == "new":
        use_new_package()
    else:
        results = [compare_flows(sys.argv[1]), compare_surfaces(sys.argv[2])]
        use_demo()
        sys.exit(0 if all(results) else 1)
