#!/usr/bin/env bash
# Builds echarts.min.js, the part of Apache ECharts that the page draws
# with, from the versions pinned in package-lock.json. Needs npm; the result is
# committed, so that nobody needs it to build perfdiff. The licences of what
# the bundle holds stand in a comment at its head and so in every report.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/package.json "$here"/package-lock.json "$here"/entry.js "$work"
cd "$work"
npm ci --no-audit --no-fund --loglevel=error
npx --no-install esbuild entry.js --bundle --minify --format=iife --global-name=echarts \
  --define:process.env.NODE_ENV='"production"' --legal-comments=none --log-level=warning --outfile=bundle.js
modules=node_modules
{
  echo "/*! Apache ECharts $(node -p 'require("echarts/package.json").version') with zrender and tslib, minified by esbuild."
  echo
  cat $modules/echarts/NOTICE
  echo
  cat $modules/echarts/LICENSE
  for part in $modules/zrender/LICENSE $modules/echarts/licenses/LICENSE-d3; do
    echo "------------------------------------------------------------------------"
    cat "$part"
  done
  echo '*/'
} > licence.js
cat licence.js bundle.js > "$here"/echarts.min.js
