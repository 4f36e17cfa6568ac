"""Files of the field's guide format → guides, and all that is wrong with them."""

from __future__ import annotations
