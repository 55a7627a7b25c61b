# What numba.cuda.detect says, which numba.hip's fails at.
from numba import hip as _cass_hip


def cass_detect():
    """Prints the devices; whether there are any."""
    devices = _cass_hip.list_devices()
    print(f"Found {len(devices)} HIP devices")
    for it in devices:
        name = it.name.decode() if isinstance(it.name, bytes) else it.name
        print(f"id {it.id}    {name}    PCI bus {it.PCI_BUS_ID}, device {it.PCI_DEVICE_ID}")
    return len(devices) > 0
