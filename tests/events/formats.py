# SPDX-License-Identifier: GPL-2.0

"""The format files of all events of Debian's kernel and its modules. They're collected once, in a virtual machine."""

import base64
import io
import os
import pathlib
import subprocess
import tarfile

top = pathlib.Path(__file__).resolve().parents[2]
STATE = pathlib.Path("/var/cache/rust-tracepoint/events")
KDIR = pathlib.Path(os.environ["KDIR"])
RELEASE = (KDIR / "include/config/kernel.release").read_text().strip()


def run(*command, **options):
    return subprocess.run(command, cwd=top, check=False, text=True, **options)


def unpack(archive):
    """Returns the format files in an archive, which is in base64, and the BTF."""
    found, btf = {}, {}
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(archive))) as tar:
        for member in tar:
            if not member.isfile():
                continue
            system, name, *_ = member.name.removeprefix("./").split("/")
            data = tar.extractfile(member).read()
            if system == "btf":
                btf[name] = data
            else:
                found[system, name] = data.decode()
    return found, btf


def collect():
    """Returns the format files of all events of the kernel and its modules."""
    STATE.mkdir(parents=True, exist_ok=True)
    archive = STATE / f"formats-{RELEASE}"
    if not archive.exists():
        modules = run("tests/events/modules", RELEASE, STATE / "btf", stdout=subprocess.PIPE).stdout.split()
        machine = run(
            "tools/vm", "-m", "4G", "-t", "3600", "-k", RELEASE, "tests/events/collect", *modules,
            stdout=subprocess.PIPE,
        )
        machine.check_returncode()
        archive.write_text(machine.stdout)
    return unpack(archive.read_text())
