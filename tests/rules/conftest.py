from hypothesis import settings

# Shared machines are slow at times, and a law is no less true on them.
settings.register_profile("rules", deadline=None)
settings.load_profile("rules")
