"""What each prompt of a guide does with its answer."""
