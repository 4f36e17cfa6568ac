"""What the tests of campaigns share: small guides, tables that play, passages."""
