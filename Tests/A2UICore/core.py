"""a2ui-core with its strict checks, and comparisons of what it makes of messages with what we do."""

import functools
import json
import warnings

from a2ui.core import MessageProcessor, MessageProcessorOptions, STRICT_VALIDATION
from a2ui.core.basic_catalog import BasicCatalog
from a2ui.core.catalog import Catalog

warnings.simplefilter("ignore")
# It copies the whole schema of a catalog for each check of a call, which only reads it: most of the time of all checks.
Catalog.validation_schema = functools.cached_property(Catalog.validation_schema.fget)
Catalog.validation_schema.__set_name__(Catalog, "validation_schema")
CATALOGS = [BasicCatalog("v0.9"), BasicCatalog("v1.0")]


class Difference(Exception):
    pass


def new_processor(take_action=None):
    return MessageProcessor(CATALOGS, take_action, MessageProcessorOptions(validation_config=STRICT_VALIDATION))


def is_same(ours, theirs):
    """Whether two JSON values are equal, with 1 and 1.0 alike and booleans apart from numbers."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(is_same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(is_same, ours, theirs))
    return isinstance(ours, bool) == isinstance(theirs, bool) and ours == theirs


def equal(what, ours, theirs):
    if not is_same(ours, theirs):
        raise Difference(f"{what}\n    ours:   {json.dumps(ours)}\n    theirs: {json.dumps(theirs)}")
