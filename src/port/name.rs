//! Paths as the keys of a manifest: `/` between parts, and every byte that JSON could not carry written as `\xNN`.

use std::path::{Component, Path, PathBuf};

/// The key of a relative path.
pub(crate) fn key_of(path: &Path) -> String {
    let mut key = String::with_capacity(path.as_os_str().len());
    for (at, part) in path.components().enumerate() {
        if at > 0 {
            key.push('/');
        }
        escape(part.as_os_str().as_encoded_bytes(), &mut key);
    }
    key
}

fn escape(bytes: &[u8], key: &mut String) {
    for chunk in bytes.utf8_chunks() {
        match chunk.valid() {
            plain if !plain.contains('\\') => key.push_str(plain),
            other => key.push_str(&other.replace('\\', "\\x5c")),
        }
        let invalid = chunk.invalid().iter();
        invalid.for_each(|byte| key.push_str(&format!("\\x{byte:02x}")));
    }
}

/// The path of a key; `None` when it leads anywhere but down, which no key of ours does.
pub(crate) fn path_of(key: &str) -> Option<PathBuf> {
    let path = PathBuf::from(unescaped(key)?);
    let leads_down = |part| matches!(part, Component::Normal(_));
    (!key.is_empty() && path.components().all(leads_down)).then_some(path)
}

#[cfg(unix)]
fn unescaped(key: &str) -> Option<std::ffi::OsString> {
    use std::os::unix::ffi::OsStringExt as _;
    let (mut bytes, mut rest) = (Vec::new(), key);
    while let Some((plain, escape)) = rest.split_once("\\x") {
        bytes.extend_from_slice(plain.as_bytes());
        bytes.push(u8::from_str_radix(escape.get(..2)?, 16).ok()?);
        rest = &escape[2..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(std::ffi::OsString::from_vec(bytes))
}

#[cfg(not(unix))]
fn unescaped(key: &str) -> Option<std::ffi::OsString> {
    Some(key.replace("\\x5c", "\\").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lead_back_to_their_paths() {
        for path in ["a.cu", "sub/ö x.cu", "back\\slash", "\\x41"] {
            assert_eq!(
                path_of(&key_of(Path::new(path))).as_deref(),
                Some(Path::new(path))
            );
        }
        assert_eq!(key_of(Path::new("a\\b")), "a\\x5cb");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_utf8_come_back() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"s\xFFb/\xC3.cu"));
        assert_eq!(key_of(path), "s\\xffb/\\xc3.cu");
        assert_eq!(path_of(&key_of(path)).as_deref(), Some(path));
    }

    #[test]
    fn no_key_leads_out() {
        for key in ["../a", "/etc/passwd", "a/../../b", "", "."] {
            assert_eq!(path_of(key), None, "{key}");
        }
    }
}
