"""Hand."""
