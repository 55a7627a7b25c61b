//! A folder that is held. What its path leads to may be swapped for a link at any time; a name in a held folder leads nowhere else, and no
//! link that stands there is followed.

use std::fs::Permissions;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    File,
    Folder,
    Link,
    /// A pipe, a socket, a device.
    Other,
}

/// What was at a name when it was looked at.
#[derive(Clone, Debug)]
pub(super) struct There {
    pub(super) sort: Sort,
    pub(super) length: u64,
    pub(super) permissions: Permissions,
    /// Its user and group, where the system has such.
    pub(super) owner: (u32, u32),
}

#[cfg(not(unix))]
pub(super) use by_path::Folder;
#[cfg(unix)]
pub(super) use held::Folder;

#[cfg(unix)]
mod held {
    use std::ffi::{OsStr, OsString};
    use std::fs::{File, Permissions};
    use std::io;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStringExt as _;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::sync::Arc;

    use rustix::fs::{self, AtFlags, CWD, Dir, FileType, Mode, OFlags, RawMode};
    use rustix::io::Errno;

    use super::{Sort, There};

    /// A folder by its descriptor.
    #[derive(Clone, Debug)]
    pub(in crate::emit) struct Folder(Arc<OwnedFd>);

    /// To hold a folder takes no right to read it.
    #[cfg(target_os = "linux")]
    const HOLD: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    #[cfg(not(target_os = "linux"))]
    const HOLD: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

    impl Folder {
        /// The folder that a path leads to: who names a link means what is behind it.
        pub(in crate::emit) fn open(path: &Path) -> io::Result<Self> {
            Self::opened(fs::openat(CWD, path, HOLD, Mode::empty()))
        }

        /// A folder in it, and no link to one.
        pub(in crate::emit) fn below(&self, name: &OsStr) -> io::Result<Self> {
            Self::opened(fs::openat(
                &self.0,
                name,
                HOLD | OFlags::NOFOLLOW,
                Mode::empty(),
            ))
        }

        fn opened(held: Result<OwnedFd, Errno>) -> io::Result<Self> {
            Ok(Self(Arc::new(held?)))
        }

        /// Makes a folder in it.
        pub(in crate::emit) fn make(&self, name: &OsStr) -> io::Result<()> {
            Ok(fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?)
        }

        /// What a name stands for; a link is not followed.
        pub(in crate::emit) fn look(&self, name: &OsStr) -> Option<There> {
            self.looked(name, AtFlags::SYMLINK_NOFOLLOW)
        }

        /// Whether a name stands for a folder, or for a link to one.
        pub(in crate::emit) fn leads_to_folder(&self, name: &OsStr) -> bool {
            let there = self.looked(name, AtFlags::empty());
            there.is_some_and(|there| there.sort == Sort::Folder)
        }

        #[allow(clippy::useless_conversion, reason = "macOS has 16 bits of it")]
        fn looked(&self, name: &OsStr, flags: AtFlags) -> Option<There> {
            let stat = fs::statat(&self.0, name, flags).ok()?;
            let sort = match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => Sort::File,
                FileType::Directory => Sort::Folder,
                FileType::Symlink => Sort::Link,
                _ => Sort::Other,
            };
            Some(There {
                sort,
                length: u64::try_from(stat.st_size).unwrap_or_default(),
                permissions: Permissions::from_mode(u32::from(stat.st_mode)),
                owner: (stat.st_uid, stat.st_gid),
            })
        }

        /// Opens a file of it for reading.
        pub(in crate::emit) fn open_file(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            Ok(fs::openat(&self.0, name, flags, Mode::empty())?.into())
        }

        /// Makes a file where nothing is, with these permissions at most.
        pub(in crate::emit) fn create(
            &self,
            name: &OsStr,
            permissions: Option<&Permissions>,
        ) -> io::Result<File> {
            let mode = permissions.map_or(0o666, Permissions::mode) & 0o777;
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            let mode = Mode::from_raw_mode(mode as RawMode);
            Ok(fs::openat(&self.0, name, flags, mode)?.into())
        }

        /// Gives a file another name, in the place of whatever has it.
        pub(in crate::emit) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            Ok(fs::renameat(&self.0, from, &self.0, to)?)
        }

        /// Gives a file a name that nothing has.
        pub(in crate::emit) fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            #[cfg(any(target_os = "linux", target_os = "macos"))]
            {
                let flags = fs::RenameFlags::NOREPLACE;
                match fs::renameat_with(&self.0, from, &self.0, to, flags) {
                    // What the file system or the kernel cannot do.
                    Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                    done => return Ok(done?),
                }
            }
            fs::linkat(&self.0, from, &self.0, to, AtFlags::empty())?;
            self.remove(from)
        }

        /// Removes a file or link.
        pub(in crate::emit) fn remove(&self, name: &OsStr) -> io::Result<()> {
            Ok(fs::unlinkat(&self.0, name, AtFlags::empty())?)
        }

        /// Removes a folder in which there is nothing.
        pub(in crate::emit) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
            Ok(fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
        }

        /// Makes a link.
        pub(in crate::emit) fn link(&self, destination: &Path, name: &OsStr) -> io::Result<()> {
            Ok(fs::symlinkat(destination, &self.0, name)?)
        }

        /// Where a link leads.
        pub(in crate::emit) fn read_link(&self, name: &OsStr) -> io::Result<OsString> {
            let destination = fs::readlinkat(&self.0, name, Vec::new())?;
            Ok(OsString::from_vec(destination.into_bytes()))
        }

        /// What is in it.
        pub(in crate::emit) fn names(&self) -> io::Result<Vec<OsString>> {
            let items = Dir::new(self.readable()?)?;
            let names = items.filter_map(|item| {
                let name = item.ok()?.file_name().to_bytes().to_vec();
                Some(OsString::from_vec(name))
            });
            Ok(names.filter(|name| name != "." && name != "..").collect())
        }

        /// Sees to it that the names in it are on the disk.
        pub(in crate::emit) fn sync(&self) -> io::Result<()> {
            Ok(fs::fsync(self.readable()?)?)
        }

        /// Sees to it that everything below it is on the disk, with all else that its file system has: at once it costs what one file
        /// does.
        #[cfg(target_os = "linux")]
        pub(in crate::emit) fn sync_all(&self) -> io::Result<()> {
            Ok(fs::syncfs(self.readable()?)?)
        }

        /// Elsewhere there is no such call, and one for each file costs more than to write it anew.
        #[cfg(not(target_os = "linux"))]
        pub(in crate::emit) fn sync_all(&self) -> io::Result<()> {
            self.sync()
        }

        fn readable(&self) -> io::Result<OwnedFd> {
            let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(fs::openat(&self.0, ".", flags, Mode::empty())?)
        }
    }
}

#[cfg(not(unix))]
mod by_path {
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, File, Metadata, Permissions};
    use std::io;
    use std::path::{Path, PathBuf};

    use super::{Sort, There};

    /// A folder by its path: the system has nothing by which it is held.
    #[derive(Clone, Debug)]
    pub(in crate::emit) struct Folder(PathBuf);

    impl Folder {
        /// The folder that a path leads to.
        pub(in crate::emit) fn open(path: &Path) -> io::Result<Self> {
            match fs::metadata(path)?.is_dir() {
                true => Ok(Self(path.to_path_buf())),
                false => Err(io::ErrorKind::NotADirectory.into()),
            }
        }

        /// A folder in it, and no link to one.
        pub(in crate::emit) fn below(&self, name: &OsStr) -> io::Result<Self> {
            let path = self.0.join(name);
            match fs::symlink_metadata(&path)?.is_dir() {
                true => Ok(Self(path)),
                false => Err(io::ErrorKind::NotADirectory.into()),
            }
        }

        /// Makes a folder in it.
        pub(in crate::emit) fn make(&self, name: &OsStr) -> io::Result<()> {
            fs::create_dir(self.0.join(name))
        }

        /// What a name stands for; a link is not followed.
        pub(in crate::emit) fn look(&self, name: &OsStr) -> Option<There> {
            Some(there(&fs::symlink_metadata(self.0.join(name)).ok()?))
        }

        /// Whether a name stands for a folder, or for a link to one.
        pub(in crate::emit) fn leads_to_folder(&self, name: &OsStr) -> bool {
            self.0.join(name).is_dir()
        }

        /// Opens a file of it for reading.
        pub(in crate::emit) fn open_file(&self, name: &OsStr) -> io::Result<File> {
            File::open(self.0.join(name))
        }

        /// Makes a file where nothing is.
        pub(in crate::emit) fn create(
            &self,
            name: &OsStr,
            _: Option<&Permissions>,
        ) -> io::Result<File> {
            let mut options = File::options();
            let options = options.read(true).write(true).create_new(true);
            options.open(self.0.join(name))
        }

        /// Gives a file another name, in the place of whatever has it.
        pub(in crate::emit) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            fs::rename(self.0.join(from), self.0.join(to))
        }

        /// Gives a file a name that nothing has.
        pub(in crate::emit) fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            fs::hard_link(self.0.join(from), self.0.join(to))?;
            self.remove(from)
        }

        /// Removes a file or link.
        pub(in crate::emit) fn remove(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.0.join(name))
        }

        /// Removes a folder in which there is nothing.
        pub(in crate::emit) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_dir(self.0.join(name))
        }

        /// Links need a privilege: the file that one points at is copied instead.
        pub(in crate::emit) fn link(&self, destination: &Path, name: &OsStr) -> io::Result<()> {
            fs::copy(self.0.join(destination), self.0.join(name)).map(drop)
        }

        /// Where a link leads.
        pub(in crate::emit) fn read_link(&self, name: &OsStr) -> io::Result<OsString> {
            fs::read_link(self.0.join(name)).map(PathBuf::into_os_string)
        }

        /// What is in it.
        pub(in crate::emit) fn names(&self) -> io::Result<Vec<OsString>> {
            let items = self.0.read_dir()?.flatten();
            Ok(items.map(|item| item.file_name()).collect())
        }

        /// A folder cannot be asked for that.
        pub(in crate::emit) fn sync(&self) -> io::Result<()> {
            Ok(())
        }

        /// Nor can a file system.
        pub(in crate::emit) fn sync_all(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn there(metadata: &Metadata) -> There {
        let kind = metadata.file_type();
        There {
            sort: match () {
                () if kind.is_file() => Sort::File,
                () if kind.is_dir() => Sort::Folder,
                () if kind.is_symlink() => Sort::Link,
                () => Sort::Other,
            },
            length: metadata.len(),
            permissions: metadata.permissions(),
            owner: (0, 0),
        }
    }
}
