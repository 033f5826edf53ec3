// The address: #section?rank=5&step=27..31&sort.kernels=-6. Whoever can be set says so once,
// under the name that it has in the address: get tells it in few letters, '' as the page
// opens; set takes that back, '' included, and leaves alone what it does not know. Get is told
// the section that the address names, which may say it already.
var settings = [], isReading = false;
function remember(name, get, set, always) { settings.push({ name: name, get: get, set: set, always: always }); }
function lettersOf(v) { return encodeURIComponent(v).replace(/%2C/g, ',').replace(/%2F/g, '/'); }
// The address of a section, or of a card, with all that is set now.
function addressOf(section) {
  var q = [];
  settings.forEach(function (s) { var v = s.get(section); if (v) q.push(s.name + '=' + lettersOf(v)); });
  return '#' + section + (q.length ? '?' + q.join('&') : '');
}
function writeAddress() {
  if (isReading) return;
  var section = current || location.hash.slice(1).split('?')[0] || 'verdict';
  try { history.replaceState(null, '', addressOf(section)); } catch (e) { return; }
}
function readAddress(opening) {
  var parts = location.hash.slice(1).split('?'), q = new URLSearchParams(parts[1] || '');
  isReading = true;
  settings.forEach(function (s) {
    var v = q.get(s.name);
    if (v !== null || opening || s.always) s.set(v || '');
  });
  isReading = false;
  follow(true);
  if (reveal(parts[0]) || (parts[1] || opening) && /^[a-z0-9-]+$/.test(parts[0]) && byId(parts[0])) byId(parts[0]).scrollIntoView({ behavior: 'instant' });
}
// The section at the top of the window, the first screen included.
var current = null, inBand = {}, places = [];
function watchSections() {
  var reader = new IntersectionObserver(function (entries) {
    entries.forEach(function (x) { inBand[x.target.id] = x.isIntersecting; });
    var here = places.filter(function (id) { return inBand[id]; }).pop();
    if (here) current = here;
  }, { rootMargin: '-80px 0px -75% 0px' });
  each('.first, section', function (s) { places.push(s.id); reader.observe(s); });
}
// Each switch, by the name of its buttons. The two that choose a quantity are set together.
function rememberSwitches() {
  var seen = {};
  each('.seg input', function (i) {
    i.addEventListener('change', writeAddress);
    if (seen[i.name]) return;
    var all = Array.prototype.slice.call(document.querySelectorAll('.seg input[name="' + i.name + '"]'));
    seen[i.name] = true;
    remember(i.name === 'view' ? 'quantity' : i.name, function () {
      var on = all.filter(function (x) { return x.checked; })[0];
      return on && on !== all[0] ? on.value : '';
    }, function (v) {
      var to = v ? all.filter(function (x) { return x.value === v; })[0] : all[0];
      if (!to) return;
      to.checked = true;
      if (i.name === 'view') showPanel(to.value);
      else if (i.name === 'metric') chooseMap(all.indexOf(to));
      else to.dispatchEvent(new Event('change'));
    });
  });
}
