"""What players do together: daily deals, boards, challenges, shared replays."""
