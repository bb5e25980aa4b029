'use strict';
// The filter of the list of pairs: by a text in the names of either unit, and by the
// least share or similarity. It hides rows and writes one line of text; nothing else.
(() => {
  const form = document.getElementById('filter');
  if (!form) return;
  const text = document.getElementById('q'), least = document.getElementById('least'), state = document.getElementById('state');
  const rows = [...document.querySelectorAll('#pairs tbody tr')];
  const names = rows.map(r => [...r.querySelectorAll('bdi')].map(n => n.textContent).join('\n').toLowerCase());
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(w => w), from = Number(least.value) || 0;
    let shown = 0;
    rows.forEach((r, i) => {
      r.hidden = Number(r.dataset.rank) < from || !words.every(w => names[i].includes(w));
      if (!r.hidden) shown++;
    });
    state.textContent = shown + ' of ' + rows.length + (rows.length === 1 ? ' pair' : ' pairs');
  };
  form.addEventListener('submit', e => e.preventDefault());
  form.addEventListener('input', apply);
  form.hidden = false;
  apply();
})();
