"""python -m meridian run -n 4 heat.py: `meridian run', with Python programs run by this Python."""

import os
import shutil
import sys


def main():
    # Not by `import meridian', which would make this process a thread of a job.
    here = os.path.dirname(os.path.abspath(__file__))
    command = os.path.normpath(os.path.join(here, "..", "..", "..", "..", "bin", "meridian"))
    if not os.path.exists(command):
        command = shutil.which("meridian")
    if not command:
        sys.exit("meridian: the command `meridian' is neither beside this package nor in PATH")
    words = sys.argv[1:]
    for i, word in enumerate(words):
        if word.endswith(".py") and os.path.exists(word):
            words[i:i] = [sys.executable]
            break
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [os.path.dirname(here)] + [p for p in [os.environ.get("PYTHONPATH")] if p])
    os.execv(command, [command] + words)


if __name__ == "__main__":
    main()
