"""`dev.*`: what those who work on the program run, and what the pages of its documentation are made of.

Stands beside the package: only this repository's `tasks.py`, tests and pages load it, and no distribution holds it.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
