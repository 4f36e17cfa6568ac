"""What every page and answer stands on: requests, errors, limits and quotas."""
