"""Exceptions. All are kinds of :class:`Error`, and say what to do."""


class Error(Exception):
    """Whatever robosift raises."""


class ArgumentError(Error, ValueError):
    """An argument that makes no sense; the message names what is accepted."""


class CorpusError(Error):
    """A corpus that cannot be opened or built, or that turns out to be damaged."""


class RowsError(Error):
    """Rows that cannot be judged: a column that is missing or of another type; batches that cannot be read."""


class FilesError(Error):
    """A run over files that ended: an input is damaged, an output cannot be written."""
