"""How fast is it? One module an area, one function a measure or group of measures.

A public function of ``bench/<area>.py`` that takes no argument is a benchmark. It
returns ``{name: (value, unit)}``, the names as in ``docs/benchmarks.md``
(``legality.decks_per_second``).
"""
