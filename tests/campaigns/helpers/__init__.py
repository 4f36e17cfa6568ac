"""What the tests of campaigns share."""
