// Cards of findings: small pictures drawn when a card opens, as SVG text in colours of the theme,
// so that what is seen is what is saved. Each kind of picture has a drawing and rows for a file.
var sideColors = ['var(--base)', 'var(--cand)'];
function svgText(x, y, s, o) {
  o = o || {};
  return '<text x="' + x.toFixed(1) + '" y="' + y.toFixed(1) + '" font-size="' + (o.size || 12) + '" fill="' + (o.fill || 'var(--ink2)') + '"' + (o.anchor ? ' text-anchor="' + o.anchor + '"' : '') + (o.weight ? ' font-weight="' + o.weight + '"' : '') + '>' + escaped(s) + '</text>';
}
function svgLine(x1, y1, x2, y2, color, o) {
  o = o || {};
  return '<path d="M' + x1.toFixed(1) + ' ' + y1.toFixed(1) + 'L' + x2.toFixed(1) + ' ' + y2.toFixed(1) + '" fill="none" stroke="' + color + '" stroke-width="' + (o.width || 1) + '"' + (o.dash ? ' stroke-dasharray="' + o.dash + '"' : '') + '/>';
}
function svgBar(x, y, w, h, fill, stroke, title) {
  return '<path d="M' + x.toFixed(1) + ' ' + y.toFixed(1) + 'h' + Math.max(0.5, w).toFixed(1) + 'v' + h + 'h' + (-Math.max(0.5, w)).toFixed(1) + 'z" fill="' + fill + '"' + (stroke ? ' stroke="' + stroke + '" stroke-width="1.5"' : '') + (title ? '><title>' + escaped(title) + '</title></path>' : '/>');
}
function svgDot(x, y, r, side) { return '<circle cx="' + x.toFixed(1) + '" cy="' + y.toFixed(1) + '" r="' + r + '" fill="' + (side ? sideColors[1] : 'var(--paper)') + '" stroke="' + sideColors[side] + '" stroke-width="1.6"/>'; }
function unitOf(d) { return d.unit ? narrowSpace + d.unit : ''; }
function placeName(d, i) { var at = d.at ? d.at[i] : i; return String(d.x === 'rank' ? data.ranks[at] : data.steps[at]); }
function isNamed(d, i) { return (d.named || []).indexOf(d.at ? d.at[i] : i) >= 0; }
function sideKey(y) { var second = 36 + 7 * data.sides[0].length; return svgDot(6, y - 4, 4, 0) + svgText(16, y, data.sides[0], { fill: sideColors[0] }) + svgDot(second, y - 4, 4, 1) + svgText(second + 10, y, data.sides[1], { fill: sideColors[1] }); }

var cardPictures = {
  dots: { draw: function (d, w) {
    var all = d.base.concat(d.cand, (d.lines || []).map(function (l) { return l.v; })).filter(function (v) { return v != null; });
    var lo = Math.min.apply(null, all), hi = Math.max.apply(null, all), pad = (hi - lo) * 0.08 || Math.abs(hi) * 0.1 || 1, n = d.base.length;
    var left = 52, right = d.lines ? 64 : 12, top = 34, bottom = 164, band = (w - left - right) / n, out = sideKey(12), r = Math.max(2, Math.min(4, band * 0.3));
    lo = lo - pad < 0 && lo >= 0 ? 0 : lo - pad; hi += pad;
    if (d.top) { lo = 0; hi = d.top; }
    function X(i) { return left + (i + 0.5) * band; }
    function Y(v) { return bottom - (v - lo) / (hi - lo) * (bottom - top); }
    ticks(lo, hi, 4).forEach(function (v) { out += svgLine(left, Y(v), w - right, Y(v), 'var(--rule)') + svgText(left - 8, Y(v) + 4, tick(v), { anchor: 'end' }); });
    out += svgText(left - 8, top - 8, d.unit || '', { anchor: 'end' });
    if (d.stripe) {
      var from = Math.max(top, Y(d.stripe[1])), to = Math.min(bottom, Y(d.stripe[0]));
      if (to > from) out += svgBar(left, from, w - left - right, (to - from).toFixed(1), 'var(--rule)');
      out += svgText(w - right, bottom + 32, d.stripe[2], { anchor: 'end' });
    }
    (d.lines || []).forEach(function (l) { out += svgLine(left, Y(l.v), w - right, Y(l.v), sideColors[l.s], { dash: '4 3' }) + svgText(w - right + 4, Y(l.v) + 4, l.t, { fill: sideColors[l.s] }); });
    var every = Math.max(1, Math.ceil(n / Math.max(2, Math.floor((w - left - right) / 34))));
    for (var i = 0; i < n; i++) {
      var name = placeName(d, i), known = [d.base[i], d.cand[i]], out1 = d.x === 'step' && data.leftOut.indexOf(d.at ? d.at[i] : i) >= 0;
      if (i % every === 0) out += svgText(X(i), bottom + 16, name, { anchor: 'middle' });
      out += '<g' + (out1 ? ' opacity=".35"' : '') + ' data-hint="' + escaped(d.x + ' ' + name + ': ' + digits(known[0]) + ' and ' + digits(known[1]) + unitOf(d) + (out1 ? ', left out of every number' : '')) + '">';
      known.forEach(function (v, side) { if (v != null) out += svgDot(X(i), Y(v), r, side); });
      out += '</g>';
      if (isNamed(d, i)) {
        var most = Math.max.apply(null, known.filter(function (v) { return v != null; }));
        out += '<circle cx="' + X(i).toFixed(1) + '" cy="' + Y(most).toFixed(1) + '" r="' + (r + 4) + '" fill="none" stroke="var(--ink)" stroke-width="1.6"/>';
        if ((d.named || []).length <= 12) out += svgText(X(i), Y(most) - r - 8, (d.x === 'rank' || d.named.length < 5 ? d.x + ' ' : '') + name, { anchor: i > n - 4 ? 'end' : i < 2 ? 'start' : 'middle', fill: 'var(--ink)', weight: 650 });
      }
    }
    return { body: out + svgText(left, bottom + 32, d.x), height: bottom + 38 };
  }, rows: function (d) {
    return [[d.x, 'baseline' + (d.unit ? ' ' + d.unit : ''), 'candidate' + (d.unit ? ' ' + d.unit : ''), 'named']].concat(d.base.map(function (v, i) { return [placeName(d, i), v, d.cand[i], isNamed(d, i) ? 1 : 0]; }));
  } },
  bars: { draw: function (d, w) {
    var y = 30, out = sideKey(12);
    d.rows.forEach(function (r) {
      var all = (d.unit ? [].concat.apply([], d.rows.map(function (x) { return x.v; })) : r.v), top = Math.max.apply(null, all) || 1;
      out += svgText(0, y + 4, r.t, { fill: 'var(--ink)' });
      r.v.forEach(function (v, side) {
        var at = y + 10 + side * 14, wide = Math.max(0, v) / top * (w - 100);
        if (v != null) out += svgBar(0.8, at, wide, 9, side ? sideColors[1] : 'var(--paper)', sideColors[side]);
        out += svgText((v == null ? 0 : wide) + 8, at + 9, r.w[side], { fill: sideColors[side] });
      });
      y += 54;
    });
    return { body: out, height: y - 4 };
  }, rows: function (d) {
    return [['what', 'baseline', 'candidate']].concat(d.rows.map(function (r) { return [r.t].concat(r.w); }));
  } },
  stack: { draw: function (d, w) {
    var x = 0, y = 12, out = '', sum = function (r) { return r.v.reduce(function (a, v) { return a + Math.max(0, v || 0); }, 0); };
    d.parts.forEach(function (p) {
      var wide = 24 + 7 * p.name.length;
      if (x + wide > w) { x = 0; y += 18; }
      out += svgBar(x, y - 9, 10, 10, 'var(--k-' + p.key + ')') + svgText(x + 15, y, p.name);
      x += wide;
    });
    var most = Math.max.apply(null, d.rows.map(sum)) || 1, left = 8 + 6.6 * Math.max.apply(null, d.rows.map(function (r) { return r.t.length; }));
    y += 12;
    d.rows.forEach(function (r) {
      var from = left;
      out += svgText(0, y + 12, r.t, { fill: sideColors[r.s] });
      r.v.forEach(function (v, k) {
        var wide = Math.max(0, v || 0) / most * (w - left - 66);
        if (wide > 0) out += svgBar(from, y, wide, 16, 'var(--k-' + d.parts[k].key + ')', '', d.parts[k].name + ': ' + digits(v) + unitOf(d));
        from += wide;
      });
      out += svgText(from + 6, y + 12, r.w[0]);
      y += 24;
    });
    return { body: out, height: y };
  }, rows: function (d) {
    return [['row'].concat(d.parts.map(function (p) { return p.name + (d.unit ? ' ' + d.unit : ''); }))].concat(d.rows.map(function (r) { return [r.t].concat(r.v); }));
  } },
  strips: { draw: drawStrips, rows: function (d) {
    var out = [['row', 'lane', 'name', 'start ' + data.timeline.unit, 'takes ' + data.timeline.unit]];
    d.rows.forEach(function (r) {
      if (r.bin) r.v.forEach(function (v, i) { out.push([data.sides[r.s] + ', ' + r.t, r.unit, v, +(r.from + i * r.bin).toPrecision(6), r.bin]); });
      else cardBars(r, d.rows).bars.forEach(function (b) { out.push([r.t, laneNames[b[0]], b[1], b[2], b[3]]); });
    });
    return out;
  } },
  interval: { draw: function (d, w) {
    var e = d.interval, lo = Math.min(0, e.lo), hi = Math.max(0, e.hi), pad = (hi - lo) * 0.08 || 1, left = 12, y = 34, out = '';
    function X(v) { return left + (v - lo + pad) / (hi - lo + 2 * pad) * (w - 2 * left); }
    out += svgLine(left, y + 16, w - left, y + 16, 'var(--rule2)') + svgLine(X(0), y - 14, X(0), y + 16, 'var(--ink)');
    ticks(lo - pad, hi + pad, 6).forEach(function (v) { out += svgLine(X(v), y + 16, X(v), y + 21, 'var(--rule2)') + svgText(X(v), y + 34, signedTick(v), { anchor: 'middle' }); });
    out += svgBar(X(e.lo), y - 3, X(e.hi) - X(e.lo), 6, 'var(--ink2)') + '<circle cx="' + X(e.value).toFixed(1) + '" cy="' + y + '" r="6" fill="var(--paper)" stroke="var(--ink2)" stroke-width="3"/>';
    return { body: out + svgText(Math.max(80, Math.min(w - 80, X(e.value))), y - 14, e.text, { anchor: 'middle', fill: 'var(--ink)', weight: 650 }), height: y + 42 };
  }, rows: function (d) { var e = d.interval; return [['change', 'low', 'high', 'interval'], [e.value, e.lo, e.hi, e.text]]; } }
};
// The bars of a rank in a step: lane, name, start, length and, where it is known, how much of it
// is waiting, in the unit of the timeline. Rows that stand together have bars from one length on. This alone knows how the page holds them.
function cardBars(row, rows) {
  var out = [], length = 0, t = data.timeline.tick, stripsOf = function (x) { return x.bin ? [] : data.timeline.steps[x.s][x.k || 0].ranks.filter(function (r) { return r.rank === (x.r || 0); }); };
  var least = Math.max.apply(null, (rows || [row]).map(function (x) { return stripsOf(x).reduce(function (most, r) { return Math.max(most, r.least); }, 0); }));
  stripsOf(row).forEach(function (r) {
    var b = barsOf(r);
    length = r.length;
    for (var i = 0; i < r.n; i++) if (b.length[i] >= least) out.push([b.lane[i], barName(b, i), +(b.start[i] * t).toPrecision(7), +(b.length[i] * t).toPrecision(7), b.wait[i] ? (b.wait[i] - 1) * t : 0]);
  });
  return { bars: out, length: length };
}
var cardLanes = [[16, 11], [29, 11], [42, 6], [50, 5]]; // top and height, of compute, communication, copies and gaps
function drawStrips(d, w) {
  var end = Math.max.apply(null, d.rows.map(function (r) { return r.bin ? 0 : cardBars(r).length; })) || 1, left = 4, y = 22, seen = {};
  var rates = Math.max.apply(null, d.rows.map(function (r) { return r.bin ? Math.max.apply(null, r.v) : 0; })) || 1; // one scale for both sides
  var out = '', X = function (v) { return left + v / end * (w - 2 * left); };
  d.rows.forEach(function (row) {
    if (row.bin) { out += drawCourse(row, X, y, w - left, rates); y += 52; return; }
    var strip = cardBars(row, d.rows), paths = {};
    function addRun(key, lane, from, to) {
      var p = paths[key + lane] = paths[key + lane] || { key: key, lane: cardLanes[lane], runs: [] }, x0 = X(from), x1 = X(Math.min(end, to)), last = p.runs[p.runs.length - 1];
      if (last && x0 - last[1] < 0.4) last[1] = Math.max(last[1], x1); else p.runs.push([x0, x1]);
    }
    out += svgText(left, y + 10, row.t + ': ' + digits(strip.length) + narrowSpace + data.timeline.unit, { fill: sideColors[row.s], weight: 650 });
    strip.bars.forEach(function (b) {
      if (!cardLanes[b[0]]) return;
      if (b[0] === 1 && b[4] > 0) { // waiting for the last rank, then the transfer
        seen['k-wait'] = data.timeline.parts.wait;
        addRun('k-wait', 1, b[2], b[2] + b[4]);
        if (b[3] > b[4]) { seen['k-transfer'] = data.timeline.parts.transfer; addRun('k-transfer', 1, b[2] + b[4], b[2] + b[3]); }
        return;
      }
      var marked = d.mark && d.mark.indexOf(b[1]) >= 0, key = marked ? 'ink' : ['k-compute', 'k-transfer', 'k-memory'][b[0]] || (colors['k_' + b[1]] ? 'k-' + b[1] : 'k-unknown');
      seen[key] = marked ? 'Named kernel' : data.timeline.parts[['compute', 'transfer', 'memory'][b[0]] || b[1]] || b[1];
      addRun(key, b[0], b[2], b[2] + b[3]);
    });
    Object.keys(paths).sort(function (a, b) { return (paths[a].key === 'ink') - (paths[b].key === 'ink'); }).forEach(function (k) {
      var p = paths[k];
      out += '<path fill="var(--' + p.key + ')" d="' + p.runs.map(function (r) { var wide = Math.max(0.5, r[1] - r[0]).toFixed(1); return 'M' + r[0].toFixed(1) + ' ' + (y + p.lane[0]) + 'h' + wide + 'v' + p.lane[1] + 'h-' + wide; }).join('z') + 'z"/>';
    });
    out += svgLine(X(strip.length), y + 14, X(strip.length), y + 56, 'var(--ink3)', { dash: '3 3' });
    y += 64;
  });
  ticks(0, end, w < 420 ? 4 : 8).forEach(function (v) { if (v <= end) out += svgLine(X(v), 22, X(v), y, 'var(--rule)', { dash: '1 3' }) + svgText(Math.min(w - 20, X(v)), y + 13, tick(v) + (v ? '' : narrowSpace + data.timeline.unit), { anchor: v ? 'middle' : 'start' }); });
  var x = 0, key = '', line = 12;
  Object.keys(seen).forEach(function (k) {
    var wide = 26 + 6.8 * seen[k].length;
    if (x + wide > w) { x = 0; line += 16; }
    key += svgBar(x, line - 9, 10, 10, 'var(--' + k + ')') + svgText(x + 15, line, seen[k]);
    x += wide;
  });
  return { body: key + '<g transform="translate(0 ' + (line - 12) + ')">' + out + '</g>', height: y + 20 + line - 12 };
}
function drawCourse(row, X, y, right, most) {
  var base = y + 40, path = '', x0 = X(0);
  row.v.forEach(function (v, i) {
    var from = Math.max(x0, X(row.from + i * row.bin)), to = Math.min(right, X(row.from + (i + 1) * row.bin));
    if (to > from) path += 'M' + from.toFixed(1) + ' ' + base + 'V' + (base - (v || 0) / most * 34).toFixed(1) + 'H' + to.toFixed(1) + 'V' + base + 'z';
  });
  return '<path d="' + path + '" fill="' + sideColors[row.s] + '" opacity=".55"/>' + svgLine(x0, base, right, base, 'var(--rule2)') + svgText(right, y + 4, row.t + ', up to ' + digits(Math.max.apply(null, row.v)) + narrowSpace + row.unit, { anchor: 'end', fill: sideColors[row.s] });
}

function svgOf(body, w, h, label) {
  return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ' + w + ' ' + Math.ceil(h) + '" width="' + w + '" height="' + Math.ceil(h) + '" role="img" aria-label="' + escaped(label) + '" font-family="Inter,system-ui,Helvetica,Arial,sans-serif">' + body + '</svg>';
}
function wrapped(s, n) {
  var out = [''];
  s.split(/\s+/).forEach(function (word) { var last = out.length - 1; if (out[last] && (out[last] + ' ' + word).length > n) out.push(word); else out[last] += (out[last] ? ' ' : '') + word; });
  return out;
}
function figuresOf(li) {
  return Array.prototype.map.call(li.querySelectorAll('.ev figure'), function (el, i) {
    return { el: el, d: data.cards[li.id][i], heading: el.querySelector('b').textContent, text: el.querySelector('figcaption span').textContent };
  });
}
function saysOf(li) {
  var what = li.querySelector('.what').cloneNode(true);
  what.removeChild(what.querySelector('.ask'));
  var n = li.querySelector('.n');
  return { number: (n.firstChild.nodeType === 3 ? n.firstChild.textContent : '') + (n.querySelector('small') ? narrowSpace + n.querySelector('small').textContent : ''), word: n.querySelector('em').textContent, text: what.textContent.trim() };
}
// The whole card as one picture that needs nothing beside it.
function cardSvg(li) {
  var w = 720, y = 34, says = saysOf(li), out = '', text = function (s, o, n) { wrapped(s, n).forEach(function (line) { out += svgText(16, y, line, o); y += 18; }); };
  out += svgText(16, y, says.number || says.word, { size: 21, weight: 640, fill: 'var(--ink)' }); y += 24;
  text(says.text, { size: 14, fill: 'var(--ink)' }, 96);
  figuresOf(li).forEach(function (f) {
    var p = cardPictures[f.d.kind].draw(f.d, w - 32);
    y += 12; text(f.heading, { size: 13, weight: 650, fill: 'var(--ink)' }, 104); text(f.text, { size: 12 }, 112);
    out += '<g transform="translate(16 ' + (y - 8) + ')">' + p.body + '</g>'; y += p.height;
  });
  var css = getComputedStyle(root), svg = svgOf('<rect width="100%" height="100%" fill="var(--paper)"/>' + out, w, y + 12, says.text);
  return svg.replace(/var\((--[a-z0-9-]+)\)/g, function (all, name) { return css.getPropertyValue(name).trim(); });
}
function cell(v) {
  v = v == null ? '' : String(v);
  if (typeof arguments[0] === 'string' && /^[=+\-@\t]/.test(v)) v = "'" + v; // no formula for a spreadsheet
  return /[",\n\r]/.test(v) ? '"' + v.replace(/"/g, '""') + '"' : v;
}
function cardCsv(li) {
  return figuresOf(li).map(function (f) { return [[f.heading]].concat(cardPictures[f.d.kind].rows(f.d)).map(function (r) { return r.map(cell).join(','); }).join('\r\n'); }).join('\r\n\r\n') + '\r\n';
}
function base64(text) { var b = new TextEncoder().encode(text), s = ''; for (var i = 0; i < b.length; i++) s += String.fromCharCode(b[i]); return btoa(s); }
function inMarkdown(s) { return s.replace(/[\\`*_{}\[\]<>|]/g, '\\$&').replace(/[@#&]/g, function (c) { return '&#' + c.charCodeAt(0) + ';'; }).replace(/:\/\//g, '&#58;//').replace(/www\./gi, 'www&#46;'); }
// What is sent to others says no path of this machine.
function cardAddress(li, whole) { return (whole || location.protocol !== 'file:' ? location.href.split('#')[0] : location.pathname.split('/').pop()) + addressOf(li.id); }
function cardMarkdown(li) {
  var says = saysOf(li), lines = ['**' + inMarkdown(says.number ? says.number + ' (' + says.word + ')' : says.word) + '** ' + inMarkdown(says.text), ''];
  figuresOf(li).forEach(function (f) { lines.push('- ' + inMarkdown(f.heading + ' ' + f.text)); });
  Array.prototype.forEach.call(li.querySelectorAll('.ev > p'), function (p) { if (!p.querySelector('a')) lines.push('- ' + inMarkdown(p.textContent)); });
  return lines.concat(['', '![' + inMarkdown(figuresOf(li).map(function (f) { return f.text; }).join(' ')) + '](data:image/svg+xml;base64,' + base64(cardSvg(li)) + ')', '', '[Evidence](<' + cardAddress(li, false).replace(/[<>\s]/g, encodeURIComponent) + '>)', '']).join('\n');
}
function copied(text) {
  if (navigator.clipboard && navigator.clipboard.writeText) return navigator.clipboard.writeText(text).catch(function () { return copiedByHand(text); });
  return Promise.resolve(copiedByHand(text));
}
function copiedByHand(text) {
  var area = document.createElement('textarea');
  area.value = text; document.body.appendChild(area); area.select();
  var done = document.execCommand('copy');
  document.body.removeChild(area);
  if (!done) throw new Error('copying was refused');
}
function save(name, address) { var a = document.createElement('a'); a.download = name; a.href = address; a.click(); }
function savePng(li) {
  var picture = new Image();
  return new Promise(function (done, refused) {
    picture.onload = function () {
      var c = document.createElement('canvas');
      c.width = 2 * picture.naturalWidth; c.height = 2 * picture.naturalHeight;
      c.getContext('2d').drawImage(picture, 0, 0, c.width, c.height);
      save(li.id + '.png', c.toDataURL('image/png')); done();
    };
    picture.onerror = refused;
    picture.src = 'data:image/svg+xml;base64,' + base64(cardSvg(li));
  });
}
var cardActs = [
  ['Copy link', 'Copied the link.', function (li) { return copied(cardAddress(li, true)); }],
  ['Copy as Markdown', 'Copied as Markdown.', function (li) { return copied(cardMarkdown(li)); }],
  ['SVG', 'Saved.', function (li) { save(li.id + '.svg', 'data:image/svg+xml;base64,' + base64(cardSvg(li))); }],
  ['PNG', 'Saved.', savePng],
  ['CSV', 'Saved.', function (li) { save(li.id + '.csv', 'data:text/csv;charset=utf-8;base64,' + base64('\ufeff' + cardCsv(li))); }]
];
function addActs(li) {
  var bar = document.createElement('div'), says = document.createElement('span');
  bar.className = 'acts noprint'; says.setAttribute('role', 'status');
  cardActs.forEach(function (a) {
    var b = document.createElement('button');
    b.type = 'button'; b.className = 'btn'; b.textContent = a[0];
    b.addEventListener('click', function () { Promise.resolve(li).then(a[2]).then(function () { says.textContent = a[1]; }, function () { says.textContent = 'This browser refuses it here.'; }); });
    bar.appendChild(b);
  });
  bar.appendChild(says);
  li.querySelector('.ev').appendChild(bar);
}
function drawCard(li) {
  figuresOf(li).forEach(function (f) {
    var place = f.el.querySelector('.pic'), w = Math.max(280, Math.round(place.clientWidth)), p = cardPictures[f.d.kind].draw(f.d, w);
    place.innerHTML = svgOf(p.body, w, p.height, f.text);
  });
  if (!li.querySelector('.acts')) addActs(li);
}
// Whoever remembers what is open writes the address afterwards.
each('details.card', function (card) {
  var li = card.parentNode;
  card.addEventListener('toggle', function () {
    if (card.open) drawCard(li);
    if (card.open && !li.closest('details:not([open])')) current = li.id;
    else if (current === li.id) current = 'verdict';
  });
});
each('details:not(.card)', function (fold) {
  fold.addEventListener('toggle', function () { if (!fold.open && current && fold.contains(byId(current))) current = 'verdict'; });
});
// Opens whatever hides the place of an address, and the finding that stands there.
function reveal(id) {
  var el = /^[a-z0-9-]+$/.test(id) && byId(id), card = el && el.querySelector(':scope > details.card'), opened = false;
  for (var up = el && el.parentNode; up && up.closest; up = up.parentNode) if (up.tagName === 'DETAILS' && !up.open) opened = up.open = true;
  // A line has nothing to show until it is open, nor has a section of tables alone.
  var fold = el && (el.className === 'line' || el.tagName === 'SECTION' && !el.querySelector('.chart')) && el.querySelector(':scope > details:not(.card)');
  if (fold && !fold.open) opened = fold.open = true;
  if (card) { current = id; card.open = true; return true; }
  return opened;
}
