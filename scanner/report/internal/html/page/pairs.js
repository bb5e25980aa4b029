'use strict';
// The list of pairs: a filter by a text in the names of either unit and by the least share
// or similarity, and an order by any column. The way from pair to pair follows the list as
// it stands, and paper has the pairs of the list only, without what names other units. The
// script moves and hides rows, makes headings buttons, and writes two lines of text;
// nothing else.
(() => {
  const form = document.getElementById('filter');
  if (!form) return;
  const text = document.getElementById('q'), least = document.getElementById('least'), state = document.getElementById('state'), printed = document.getElementById('printed');
  const body = document.querySelector('#pairs tbody'), given = [...body.rows];
  let rows = given;
  const names = new Map(rows.map(r => [r, [...r.querySelectorAll('bdi')].map(n => n.textContent).join('\n').toLowerCase()]));
  const pairs = new Map(rows.map(r => [r, document.getElementById('p' + r.id.slice(1))]));
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(w => w), from = Number(least.value) || 0;
    let shown = 0;
    rows.forEach(r => {
      r.hidden = Number(r.dataset.rank) < from || !words.every(w => names.get(r).includes(w));
      if (!r.hidden) shown++;
      pairs.get(r).classList.toggle('out', r.hidden);
    });
    document.documentElement.classList.toggle('some', shown < rows.length);
    state.textContent = shown + ' of ' + rows.length + (rows.length === 1 ? ' pair' : ' pairs');
    const by = [words.length ? 'with “' + words.join(' ') + '” in A or B' : '', from > 0 ? 'of at least ' + from + '%' : ''];
    printed.textContent = shown < rows.length ? state.textContent + ', ' + by.filter(b => b).join(', ') + '. Groups and what was not examined are left out.' : '';
  };
  const heads = [...document.querySelectorAll('#pairs thead th')];
  const compare = new Intl.Collator(undefined, {numeric: true}).compare;
  const sort = (column, head) => {
    const number = head.classList.contains('num');
    const up = number ? head.ariaSort === 'descending' : head.ariaSort !== 'ascending';
    const value = r => number ? Number(r.cells[column].dataset.v) : r.cells[column].textContent;
    const keys = new Map(given.map(r => [r, value(r)]));
    const sign = up ? 1 : -1;
    rows = [...given].sort((a, b) => sign * (number ? keys.get(a) - keys.get(b) : compare(keys.get(a), keys.get(b))));
    const all = document.createDocumentFragment();
    rows.forEach(r => all.append(r));
    body.append(all);
    heads.forEach(h => h.ariaSort = h === head ? (up ? 'ascending' : 'descending') : 'none');
  };
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    head.ariaSort = 'none';
    button.addEventListener('click', () => sort(column, head));
  });
  document.addEventListener('click', e => {
    const link = e.target.closest('a[data-step]');
    if (!link) return;
    const shown = rows.filter(r => !r.hidden);
    const at = shown.findIndex(r => r.id === 'r' + link.dataset.of);
    if (at < 0) return; // the list leaves this pair out: its neighbours are those of the page
    const next = shown[at + Number(link.dataset.step)];
    e.preventDefault();
    location.hash = next ? 'p' + next.id.slice(1) : 'r' + link.dataset.of;
  });
  form.addEventListener('submit', e => e.preventDefault());
  form.addEventListener('input', apply);
  form.hidden = false;
  apply();
})();
