"""What a rule is: from a call of an operator to what it asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from ..calls import OperatorCall
from ..work import Work

Rule = Callable[[OperatorCall], Optional[Work]]
"""Gives the work of a call; None where the call lacks what the rule needs."""
