'use strict';
// Shows what stands in the page's blocks of JSON. Texts are written as text only:
// nothing in a report is ever taken for markup.
(() => {
  const $ = id => document.getElementById(id);
  const root = document.documentElement;
  const el = (tag, attributes, ...children) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes || {})) if (v !== undefined && v !== false) e.setAttribute(k, v === true ? '' : v);
    e.append(...children.filter(c => c !== null && c !== undefined));
    return e;
  };
  const rows = [...document.querySelectorAll('#list > li')];
  const cache = new Map();
  const data = n => {
    if (!cache.has(n)) cache.set(n, JSON.parse($('d' + n).textContent));
    return cache.get(n);
  };

  // One finding.

  const span = s => {
    if (s.h) return el('a', { href: s.h, rel: 'noreferrer noopener', target: '_blank' }, s.k === 'code' ? el('code', null, s.t) : s.t);
    if (s.k === 'code') return el('code', null, s.t);
    return s.k === 'strong' ? el('strong', null, s.t) : document.createTextNode(s.t);
  };
  const value = v => v.map(span);

  const facts = list => el('dl', { class: 'facts' }, ...list.map(f =>
    el('div', null, el('dt', null, f.k), ...f.v.map(v => el('dd', { class: f.v.length > 1 ? 'one' : undefined }, ...value(v))))));

  const hue = n => 'name r' + ((n - 1) % 8);

  const renames = list => el('section', { class: 'renames' },
    el('h4', null, 'Renamed identifiers ', el('span', { class: 'count' }, String(list.length))),
    el('p', { class: 'note' }, 'Origin → this code. Both sides of the source below carry the same number and colour.'),
    el('ul', null, ...list.map((r, i) => el('li', null,
      el('span', { class: hue(i + 1), 'data-n': i + 1 }, r.o), ' → ', el('span', { class: hue(i + 1), 'data-n': i + 1 }, r.t), el('span', { class: 'dim' }, ' ×' + r.c)))));

  const table = t => el('details', { class: 'more' },
    el('summary', null, t.t + ' ', el('span', { class: 'count' }, String((t.r || []).length))),
    t.n ? el('p', { class: 'note' }, t.n) : null,
    el('div', { class: 'scroll' }, el('table', null,
      el('thead', null, el('tr', null, ...t.h.map(h => el('th', { scope: 'col' }, h)))),
      el('tbody', null, ...(t.r || []).map(r => el('tr', null, ...r.map(c => el('td', null, ...value(c)))))))));

  const piece = (p, pairs) => {
    let out = p.t;
    if (p.e) out = el('span', { class: 'esc', title: 'a character that cannot be shown' }, out);
    if (p.r) {
      const r = pairs[p.r - 1];
      out = el('span', { class: hue(p.r), 'data-n': p.r, title: `rename ${p.r}: ${r.o} → ${r.t}` }, out);
    }
    return p.m ? el('mark', null, out) : out;
  };
  const side = (p, pairs) => {
    if (!p) return [el('td', { class: 'no gap' }), el('td', { class: 'gap' })];
    return [el('td', { class: p.m ? 'no hit' : 'no' }, String(p.n)), el('td', { class: p.m ? 'hit' : null }, ...p.p.map(x => piece(x, pairs)))];
  };
  const source = d => {
    const s = d.source;
    if (!s) return el('p', { class: 'note' }, 'The report was made without source text.');
    return el('section', { class: 'source' },
      el('h4', null, 'Both sides'),
      el('p', { class: 'note' }, 'Marked is what matches, from the first to the last token of each run; layout and comments within are not compared. The rest stands around it.'),
      el('table', { class: 'code' },
        el('caption', { class: 'vh' }, 'Source of both sides, line against line'),
        el('colgroup', null, el('col', { class: 'n' }), el('col'), el('col', { class: 'n' }), el('col')),
        el('thead', null, el('tr', null, el('th', { scope: 'colgroup', colspan: 2 }, 'This code ', el('bdi', null, s.here)), el('th', { scope: 'colgroup', colspan: 2 }, 'Origin ', el('bdi', null, s.there)))),
        el('tbody', null, ...(s.rows || []).map(r => el('tr', null, ...side(r.a, d.renames || []), ...side(r.b, d.renames || []))))),
      s.cut ? el('p', { class: 'note' }, 'The region goes on; the report holds no more of it.') : null);
  };

  const bars = new Map([...document.querySelectorAll('table.files tbody tr')].map(tr => [tr.dataset.file, tr.querySelector('svg')]));
  const fileBar = (d, n) => {
    const bar = bars.get(d.path);
    if (!bar) return null;
    const copy = bar.cloneNode(true);
    for (const r of copy.querySelectorAll(`rect[data-n="${n}"]`)) { r.classList.add('here'); copy.append(r); }
    return el('figure', { class: 'inFile' }, copy, el('figcaption', null, copy.getAttribute('aria-label')));
  };

  // Both sides on one axis of time. The summary and table beside it say the same.
  const draw = (tag, attributes, ...children) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    e.append(...children);
    return e;
  };
  const lane = (l, y) => [
    draw('text', { x: 0, y: y + 4 }, l.n),
    draw('line', { x1: 60, x2: 1020, y1: y, y2: y }),
    ...(l.a && l.p ? [draw('rect', { class: 'maybe', x: 60 + Math.min(l.a, l.p), y: y - 5, width: Math.max(2, Math.abs(l.p - l.a)), height: 10 })] : []),
    ...(l.p ? [draw('rect', { class: 'has', x: 60 + l.p, y: y - 5, width: Math.max(2, (l.e || 960) - l.p), height: 10 })] : []),
    ...l.m.map(m => draw('circle', { class: m.k, cx: 60 + m.x, cy: y, r: m.k === 'later' ? 3 : 5 }, draw('title', {}, m.t)))];
  const axis = a => el('section', { class: 'axis' },
    el('h4', null, 'Who had it when'),
    el('p', { class: 'note' }, 'A hollow dot: not there yet. A full dot: there. The dashed bar: it came in between. The full bar: it was there. A small dot: a later change.'),
    draw('svg', { class: 'chart', viewBox: '0 0 1030 100', role: 'img', 'aria-label': a.w },
      ...(a.t || []).flatMap(t => [draw('line', { class: 'tick', x1: 60 + t.x, x2: 60 + t.x, y1: 6, y2: 80 }), draw('text', { x: 60 + t.x, y: 95, 'text-anchor': 'middle' }, t.t)]),
      ...lane(a.l[0], 28), ...lane(a.l[1], 58)),
    table(a.s));

  const render = n => {
    const d = data(n), li = rows[n - 1];
    const slash = d.path.lastIndexOf('/') + 1;
    const level = li.querySelector('.level').cloneNode(true);
    return [
      el('header', null,
        el('p', { class: 'pos' }, `Finding ${n} of ${rows.length}`),
        el('h3', null, el('bdi', null, el('span', { class: 'dir' }, d.path.slice(0, slash)), d.path.slice(slash)), ' ', el('span', { class: 'lines' }, 'lines ' + d.lines)),
        el('p', { class: 'lead' }, level, ' ', ...value(d.lead)),
        fileBar(d, n)),
      facts(d.facts),
      d.axis ? axis(d.axis) : null,
      d.renames ? renames(d.renames) : null,
      source(d),
      ...(d.tables || []).map(table),
    ].filter(Boolean);
  };

  // Which finding is looked at.

  let current = 0;
  const detail = $('detail');
  let passing = rows; // the filter
  const select = (n, focus) => {
    if (!detail || !rows[n - 1]) return;
    if (n !== current) {
      if (current) rows[current - 1].querySelector('a').removeAttribute('aria-current');
      current = n;
      detail.replaceChildren(...render(n));
      detail.setAttribute('aria-label', 'Finding ' + n);
      detail.scrollTop = 0;
      rows[n - 1].querySelector('a').setAttribute('aria-current', 'true');
      rows[n - 1].scrollIntoView({ block: 'nearest' });
    }
    if (focus) detail.focus({ preventScroll: true });
  };
  const go = n => { select(n); history.replaceState(null, '', '#f' + n); };
  const step = by => {
    const list = passing;
    if (!list.length) return;
    const at = list.findIndex(li => Number(li.dataset.n) === current);
    const to = list[Math.min(list.length - 1, Math.max(0, at + by))];
    go(Number(to.dataset.n));
    if (document.activeElement && document.activeElement.closest('#list')) to.querySelector('a').focus();
    $('say').textContent = `Finding ${to.dataset.n}: ${to.querySelector('.where').textContent}`;
  };

  // Parts of the report.

  const views = [...document.querySelectorAll('.view')];
  const links = [...document.querySelectorAll('a[data-view]')];
  const view = id => {
    for (const v of views) v.classList.toggle('on', v.id === id);
    for (const a of links) a.dataset.view === id ? a.setAttribute('aria-current', 'page') : a.removeAttribute('aria-current');
  };
  const route = () => {
    const to = decodeURIComponent(location.hash.slice(1));
    const finding = /^f(\d+)$/.exec(to);
    if (views.some(v => v.id === to)) view(to);
    else view('findings');
    if (finding) select(Number(finding[1]));
    else if (!current && rows.length) select(1);
  };
  addEventListener('hashchange', route);

  // The filter.

  const form = $('filter');
  const keys = ['level', 'verdict', 'licence', 'package'];
  const text = n => {
    const d = data(n);
    if (d.hay === undefined) {
      const words = [d.id, d.path];
      const take = v => { for (const s of v) words.push(s.t); };
      take(d.lead);
      for (const f of d.facts) f.v.forEach(take);
      for (const r of d.renames || []) words.push(r.o, r.t);
      for (const t of d.tables || []) for (const r of t.r || []) r.forEach(take);
      for (const r of (d.source && d.source.rows) || []) for (const s of [r.a, r.b]) if (s) words.push(s.p.map(x => x.t).join(''));
      d.hay = words.join('\n').toLowerCase();
    }
    return d.hay;
  };
  const count = () => {
    const n = passing.length;
    $('count').textContent = n === rows.length ? `${n} finding${n === 1 ? '' : 's'}` : `${n} of ${rows.length} findings`;
  };
  const filter = () => {
    const want = keys.map(k => $('by-' + k).value), path = $('by-path').value.toLowerCase(), q = $('q').value.trim().toLowerCase();
    passing = rows.filter(li => keys.every((k, i) => want[i] === '' || li.dataset[k].split(' ').includes(want[i])) &&
      li.dataset.path.toLowerCase().includes(path) && (q === '' || text(Number(li.dataset.n)).includes(q)));
    $('list').replaceChildren(...passing); // faster by far than hiding the others
    count();
    $('none').hidden = passing.length > 0;
    if (passing.length && !passing.includes(rows[current - 1])) go(Number(passing[0].dataset.n));
    else if (passing.length) rows[current - 1].scrollIntoView({ block: 'nearest' });
  };
  const clear = () => { form.reset(); filter(); };
  if (form) {
    let timer;
    form.hidden = false;
    form.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
    form.addEventListener('reset', () => setTimeout(filter));
    form.addEventListener('submit', e => e.preventDefault());
    $('list').addEventListener('click', e => {
      const a = e.target.closest('a');
      if (!a || e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      const n = Number(a.closest('li').dataset.n);
      go(n);
      if (e.detail === 0 || matchMedia('(max-width: 60rem)').matches) { select(n, true); detail.scrollIntoView(); }
    });
    count();
  }

  // Keys.

  const help = $('help'), single = $('single');
  $('keys').addEventListener('click', () => help.showModal());
  $('close').addEventListener('click', () => help.close());
  addEventListener('keydown', e => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || help.open) return;
    const typing = e.target.closest('input, select, textarea');
    if (e.key === 'Escape') {
      if (typing) typing.blur();
      else if (form) clear();
      return;
    }
    if (typing) return;
    const arrows = e.target.closest('.listing');
    if (arrows && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) { e.preventDefault(); step(e.key === 'ArrowDown' ? 1 : -1); return; }
    if (!single.checked) return;
    const part = links[Number(e.key) - 1];
    if (part) { e.preventDefault(); location.hash = part.dataset.view; }
    else if (e.key === '?') { e.preventDefault(); help.showModal(); }
    else if (!form) return;
    else if (e.key === 'j' || e.key === 'k') { e.preventDefault(); view('findings'); step(e.key === 'j' ? 1 : -1); }
    else if (e.key === '/') { e.preventDefault(); view('findings'); $('q').focus(); $('q').select(); }
  });

  // What was not examined: entries are written when they are looked at.

  const entries = d => {
    const into = d.querySelector('.entries');
    if (into.firstChild) return;
    const list = JSON.parse(d.querySelector('script').textContent);
    into.append(el('table', null,
      el('thead', null, el('tr', null, el('th', { scope: 'col' }, 'Path'), el('th', { scope: 'col' }, 'Detail'))),
      el('tbody', null, ...list.map(([path, detail]) => el('tr', null, el('td', null, el('bdi', null, path)), el('td', null, detail))))));
  };
  const reasons = [...document.querySelectorAll('details.reason')];
  for (const d of reasons) d.addEventListener('toggle', () => { if (d.open) entries(d); });

  // On paper everything is shown.

  const paper = $('paper');
  const toPaper = () => {
    if (paper.firstChild) return;
    for (const d of reasons) entries(d);
    rows.forEach((_, i) => paper.append(el('article', null, ...render(i + 1))));
    for (const d of document.querySelectorAll('details')) { d.dataset.was = d.open; d.open = true; }
  };
  const fromPaper = () => {
    paper.replaceChildren();
    for (const d of document.querySelectorAll('details[data-was]')) { d.open = d.dataset.was === 'true'; delete d.dataset.was; }
  };
  addEventListener('beforeprint', toPaper);
  addEventListener('afterprint', fromPaper);
  matchMedia('print').addEventListener('change', e => e.matches ? toPaper() : fromPaper());
  $('print').addEventListener('click', () => print());

  // Colours.

  const themes = [['', 'auto', 'as the system has them'], ['light', 'light', 'light'], ['dark', 'dark', 'dark']];
  let theme = 0;
  const paint = () => {
    const [name, label, words] = themes[theme];
    if (name) root.dataset.theme = name; else delete root.dataset.theme;
    $('theme').textContent = 'Theme: ' + label;
    $('theme').setAttribute('aria-label', 'Colours: ' + words);
  };
  $('theme').addEventListener('click', () => {
    theme = (theme + 1) % themes.length;
    paint();
    try { localStorage.setItem('theme', String(theme)); } catch { /* pages from disk may not keep anything */ }
  });
  try { theme = Number(localStorage.getItem('theme')) % themes.length || 0; } catch { /* the same */ }

  root.classList.add('js');
  document.querySelector('.tools').hidden = false;
  paint();
  route();
  performance.mark('ready');
})();
