"""The game itself: pure, standard library only, without a clock or randomness of its own.

Read in this order: ``cards``, ``deal``, ``board``, ``ruleset``, ``moves``, ``state``, ``game``.
"""
