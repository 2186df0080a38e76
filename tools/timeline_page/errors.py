# SPDX-License-Identifier: GPL-2.0
#
# The names of errors.

import errno

# The kernel's own, in include/linux/errno.h.
KERNEL = {
    512: "ERESTARTSYS",
    513: "ERESTARTNOINTR",
    514: "ERESTARTNOHAND",
    515: "ENOIOCTLCMD",
    516: "ERESTART_RESTARTBLOCK",
    517: "EPROBE_DEFER",
    518: "EOPENSTALE",
    519: "ENOPARAM",
    521: "EBADHANDLE",
    522: "ENOTSYNC",
    523: "EBADCOOKIE",
    524: "ENOTSUPP",
    525: "ETOOSMALL",
    526: "ESERVERFAULT",
    527: "EBADTYPE",
    528: "EJUKEBOX",
    529: "EIOCBQUEUED",
    530: "ERECALLCONFLICT",
    531: "ENOGRACE",
}
NAMES = KERNEL | errno.errorcode
NUMBERS = {name: number for number, name in NAMES.items()}


def name_of(result):
    """A result as text: "ok" for 0, and the names of errors."""
    if not isinstance(result, int):
        return result
    if result == 0:
        return "ok"
    return NAMES.get(-result, str(result))


def result_of(text):
    """The reverse, from what the kernel prints: "EIO", "-EIO", "-5", "0", "0xfffffffb"."""
    if text.startswith("0x"):
        return int(text, 16) - (1 << 32)
    if text.lstrip("-").isdecimal():
        return int(text)
    number = NUMBERS.get(text.lstrip("-"))
    return text if number is None else -number
