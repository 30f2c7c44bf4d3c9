"""Holds flows and surfaces of two files, and the demo's assistant, against a2ui-core."""

import sys

from demo import use_demo
from flows import compare_flows
from surfaces import compare_surfaces

if __name__ == "__main__":
    results = [compare_flows(sys.argv[1]), compare_surfaces(sys.argv[2])]
    use_demo()
    sys.exit(0 if all(results) else 1)
