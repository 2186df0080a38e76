# SPDX-License-Identifier: GPL-2.0
#
# libtraceevent, as trace-cmd and perf use it: decodes a record with a format file.

import ctypes
import re

lib = ctypes.CDLL("libtraceevent.so.1")


class Seq(ctypes.Structure):
    """struct trace_seq"""

    _fields_ = [
        ("buffer", ctypes.c_void_p),
        ("buffer_size", ctypes.c_uint),
        ("len", ctypes.c_uint),
        ("readpos", ctypes.c_uint),
        ("state", ctypes.c_int),
    ]


class Record(ctypes.Structure):
    """struct tep_record"""

    _fields_ = [
        ("ts", ctypes.c_ulonglong),
        ("offset", ctypes.c_ulonglong),
        ("missed_events", ctypes.c_longlong),
        ("record_size", ctypes.c_int),
        ("size", ctypes.c_int),
        ("data", ctypes.c_char_p),
        ("cpu", ctypes.c_int),
        ("ref_count", ctypes.c_int),
        ("locked", ctypes.c_int),
        ("priv", ctypes.c_void_p),
    ]


lib.tep_alloc.restype = ctypes.c_void_p
lib.tep_parse_event.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
lib.tep_find_event.restype = ctypes.c_void_p
lib.tep_find_event.argtypes = [ctypes.c_void_p, ctypes.c_int]
lib.tep_set_long_size.argtypes = [ctypes.c_void_p, ctypes.c_int]
lib.tep_set_page_size.argtypes = [ctypes.c_void_p, ctypes.c_int]
lib.tep_free.argtypes = [ctypes.c_void_p]
lib.tep_set_loglevel(0)


class Decoder:
    """Decodes the records of one event."""

    def __init__(self, text, system):
        self.tep = lib.tep_alloc()
        lib.tep_set_long_size(self.tep, 8)
        lib.tep_set_page_size(self.tep, 4096)
        self.id = int(re.search(r"^ID: (\d+)", text, re.MULTILINE)[1]).to_bytes(2, "little")
        text = text.encode()
        self.error = lib.tep_parse_event(self.tep, text, len(text), system.encode())

    def text(self, data):
        """Returns the text of a record, whatever its ID."""
        data = self.id + data[2:]
        seq, record = Seq(), Record()
        lib.trace_seq_init(ctypes.byref(seq))
        record.size = record.record_size = len(data)
        record.data = data
        lib.tep_print_event(
            ctypes.c_void_p(self.tep), ctypes.byref(seq), ctypes.byref(record), b"%s", b"INFO"
        )
        text = ctypes.string_at(seq.buffer, seq.len) if seq.len else b""
        lib.trace_seq_destroy(ctypes.byref(seq))
        return text

    def __del__(self):
        lib.tep_free(self.tep)
