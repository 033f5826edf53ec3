// Library, script and data are compressed in the page. All are inflated by the browser; both
// scripts then run as scripts of their own, which the page's policy knows by their hashes.
function inflated(id) {
  var text = atob(document.getElementById(id).textContent), packed = new Uint8Array(text.length);
  for (var i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
function textOf(bytes) { return new TextDecoder().decode(bytes); }
function run(code) {
  var script = document.createElement('script');
  script.textContent = code;
  document.head.appendChild(script);
}
function load() {
  return Promise.all(['library', 'drawing', 'data'].map(inflated)).then(function (parts) {
    var all = new Uint8Array(parts[2]), end = all.indexOf(10); // a line of JSON, then matrices
    run(textOf(parts[0]));
    run(textOf(parts[1]));
    if (!window.echarts || !window.perfdiffPage) throw new Error('a script did not run');
    return [JSON.parse(textOf(all.subarray(0, end))), all.subarray(end + 1)];
  });
}
// An older browser or a damaged file: text and tables are there all the same.
function tell() { document.getElementById('nocharts').hidden = false; }
Promise.resolve().then(load).then(function (d) { window.perfdiffPage(d[0], d[1]); }, tell);
