"""Meridian for Python: distributed arrays and their shifts; see meridian.arrays.

The library is loaded, and with it this process becomes a thread of its job, when something of it is first used:
`python -m meridian' imports this package too, to start a job."""

import importlib


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("meridian.arrays"), name)


def __dir__():
    return [name for name in dir(importlib.import_module("meridian.arrays")) if not name.startswith("_")]
