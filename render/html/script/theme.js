document.getElementById('theme').addEventListener('click', function () {
  var root = document.documentElement, was = root.dataset.theme || (matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light');
  root.dataset.theme = was === 'dark' ? 'light' : 'dark';
  try { localStorage.setItem('perfdiff-theme', root.dataset.theme); } catch (e) {}
});
