"""Copies the repository's files, so that a script can change and build the copy."""

import os
import shutil
import subprocess


def copy(root, target_root):
    """Makes the copy equal to the working tree. Does not write files that are equal, so a build of the copy reuses the previous build."""
    os.makedirs(target_root, exist_ok=True)
    files = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=root, check=True, capture_output=True).stdout
    kept = set()
    for name in files.decode().split("\0"):
        source, target = os.path.join(root, name), os.path.join(target_root, name)
        if not name or not os.path.lexists(source) or os.path.isdir(source):
            continue
        kept.add(name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.islink(source):
            if not os.path.islink(target):
                os.symlink(os.readlink(source), target)
        elif not os.path.exists(target) or open(source, "rb").read() != open(target, "rb").read():
            shutil.copy2(source, target)
    # Remove files that an interrupted run left behind.
    for base, folders, names in os.walk(target_root):
        folders[:] = [folder for folder in folders if folder not in (".build", ".git")]
        for name in names:
            path = os.path.join(base, name)
            if os.path.relpath(path, target_root) not in kept:
                os.remove(path)
