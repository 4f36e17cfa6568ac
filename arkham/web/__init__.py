"""The base of all pages and answers: requests, errors, limits and quotas."""
