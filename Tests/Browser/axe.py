"""What axe-core finds on a page."""

from axe_selenium_python import Axe


def serious(driver, without=()):
    """The findings that are serious or critical: what, and where. Contrasts with colours that this axe-core can't read (those of
    color-mix) are left out; see contrast.py. `without` has selectors of what is left out too."""
    axe = Axe(driver)
    axe.inject()
    # Without the many parts that are as they should be.
    options = {"resultTypes": ["violations"]}
    results = axe.run(context={"include": [["html"]], "exclude": [[selector] for selector in without]}, options=options)
    found = []
    for finding in results["violations"]:
        nodes = [node for node in finding["nodes"] if not any("NaN" in check["message"] for check in node["any"])]
        if finding["impact"] in ("serious", "critical") and nodes:
            found.append(f"{finding['id']}: {finding['help']} at {[node['target'] for node in nodes[:3]]}")
    return found
