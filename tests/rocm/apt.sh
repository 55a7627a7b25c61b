# Sourced by setup.sh and link.sh: Debian packages of other releases, fetched to be unpacked and never installed.
# Whoever sources it sets APT, a folder for lists and packages, and says die().

# The archive that this machine already uses for Debian itself; security archives hold no suites of the kind needed here.
# apt knows it by the release files it has downloaded; where it has none yet, they are fetched beside it.
debian_archive() {
  local uri
  uri=$(debian_uri)
  if [ -z "$uri" ]; then
    mkdir -p "$APT/own/partial"
    apt-get -q -o Dir::State::Lists="$APT/own" -o APT::Sandbox::User=root update >/dev/null
    uri=$(debian_uri -o Dir::State::Lists="$APT/own")
  fi
  [ -n "$uri" ] || die "apt knows no Debian archive on this machine"
  echo "$uri"
}

debian_uri() {
  apt-get "$@" indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
    awk -F'|' '$1 == "Debian" && $2 == "Debian" && !seen { print $3; seen = 1 }'
}

# prepare_apt SUITE...: a private apt in $APT: its own sources, lists, cache and an empty dpkg status; proxies and certificates stay the machine's own.
prepare_apt() {
  local suite archive key=/usr/share/keyrings/debian-archive-keyring.gpg signed=""
  mkdir -p "$APT/lists/partial" "$APT/cache/archives/partial" "$APT/debs"
  [ -r "$key" ] && signed="[signed-by=$key] "
  archive=$(debian_archive)
  for suite in "$@"; do echo "deb $signed$archive $suite main"; done >"$APT/sources.list"
  : >"$APT/status"
  APT_OPTIONS=(
    -q -o Dir::Etc::SourceList="$APT/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null
    -o Dir::State::Lists="$APT/lists" -o Dir::State::status="$APT/status" -o Dir::Cache="$APT/cache"
    -o APT::Sandbox::User=root -o APT::Get::List-Cleanup=0 -o Acquire::Languages=none -o Acquire::Retries=3
  )
  apt-get "${APT_OPTIONS[@]}" update >/dev/null
}

# download PACKAGE/SUITE...: into $APT/debs, and nothing else there.
download() {
  rm -f "$APT"/debs/*.deb
  (cd "$APT/debs" && apt-get "${APT_OPTIONS[@]}" download "$@" >/dev/null)
}
