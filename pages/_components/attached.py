"""Files that pages send along: read once, then known by their digest.

A page sends its file with the first request that needs it and its digest with
all others; a server that does not know the digest, or no longer, asks again.
What is kept depends on nothing but the bytes, so each process may keep its own.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from foptrn_model.attachments import Attachment
from foptrn_model.parameters import ParamsError, Problem

MOST_KEPT = 8


class AttachmentUnknownError(LookupError):
    """Raised for a digest whose file must be sent again."""


class AttachmentStore:
    """The last few files of an explorer, as data."""

    def __init__(self, attachment: Attachment) -> None:
        self.attachment = attachment
        self._kept: OrderedDict[str, Any] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, sent: Any) -> tuple[str, Any] | None:
        """(digest, data) of what a request sent along; None where it sent nothing.

        Raises
        ------
        AttachmentUnknownError
            For a digest that is not kept here.
        ParamsError
            For a file with something wrong in it.
        """
        if not isinstance(sent, Mapping):
            return None
        if isinstance(sent.get("contents"), str):
            return self._read(sent["contents"])
        digest = sent.get("digest")
        if not isinstance(digest, str):
            return None
        with self._lock:
            if digest not in self._kept:
                raise AttachmentUnknownError(digest)
            self._kept.move_to_end(digest)
            return digest, self._kept[digest]

    def _read(self, contents: str) -> tuple[str, Any]:
        try:
            data = base64.b64decode(contents, validate=True)
        except binascii.Error:
            message = f"{self.attachment.name}: the file did not arrive whole; choose it again"
            problem = Problem(param=self.attachment.name, message=message, value=None)
            raise ParamsError([problem]) from None
        digest = hashlib.sha256(data).hexdigest()
        read = self.attachment.read_file(data)
        with self._lock:
            self._kept[digest] = read
            self._kept.move_to_end(digest)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return digest, read
