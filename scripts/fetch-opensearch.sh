#!/usr/bin/env bash
# Has OpenSearch with its k-NN plugin (60 MB, Apache 2.0) in ${XDG_CACHE_HOME:-~/.cache}/signalbox: a real search server
# for the tests. Both come by the Maven client. The build for tests carries no native libraries and no painless module:
# the plugin's Lucene engine needs neither.
#
# Exit codes: 0 it is there, 3 it cannot be had here.
set -euo pipefail

VERSION=2.19.1
SERVER=org.opensearch.distribution.integ-test-zip:opensearch:$VERSION:zip
PLUGIN=org.opensearch.plugin:opensearch-knn:$VERSION.0:zip

cache="${XDG_CACHE_HOME:-$HOME/.cache}/signalbox"
home="$cache/opensearch-$VERSION"
[[ -d $home ]] && exit 0
absent() { echo "fetch-opensearch: $*" >&2; exit 3; }

command -v mvn >/dev/null || absent "needs Maven (mvn)"
compgen -G "/usr/lib/jvm/java-17-openjdk-*/bin/java" >/dev/null || absent "needs Java 17 (openjdk-17-jre-headless)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

fetch() {
  mvn -q -B dependency:copy -Dartifact="$1" -DoutputDirectory="$work" -Dmdep.useBaseVersion=true >"$work/log" 2>&1 ||
    absent "Maven cannot fetch $1: $(tail -n 1 "$work/log")"
}
echo "fetch-opensearch: fetching OpenSearch $VERSION (60 MB)"
fetch "$SERVER"
fetch "$PLUGIN"
(cd "$work" && python3 -m zipfile -e "opensearch-$VERSION.zip" . && mkdir -p "opensearch-$VERSION/plugins/opensearch-knn" &&
  python3 -m zipfile -e "opensearch-knn-$VERSION.0.zip" "opensearch-$VERSION/plugins/opensearch-knn")
sed -i 's/^extended.plugins=.*/extended.plugins=/' "$work/opensearch-$VERSION/plugins/opensearch-knn/plugin-descriptor.properties"
mkdir -p "$cache"
mv "$work/opensearch-$VERSION" "$home"
echo "fetch-opensearch: $home"
