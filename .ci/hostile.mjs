// hostile.mjs REPORT OUT: writes a report whose texts all try to leave the place
// they are shown in. hostile.mjs --judge MARKDOWN: renders a document as GitHub
// does and fails if anything but the elements a report is made of comes out, or
// if a text that GitHub acts on stands outside of code.
import { readFileSync, writeFileSync } from 'node:fs'

const texts = [
  '`', '``', ' ``` ', '@org/team', '#1', 'o/r#1', 'GH-1', 'deadbeefcafe', 'www.evil.example', 'https://evil.example/@all', 'a@b.example',
  '<img src=x onerror=alert(1)>', '</details><h1>', '<!--', '](https://evil.example)', '![x](https://evil.example/x.png)', '*a*', '_b_', '~~c~~', '|', '\\`', ':smile:',
  'a\nb', '\n\n# h\n\n', '```\n@all\n```', '~~~', '::error::x', '\u202eabc', '\u001b[2J', '', ' ', '- x', '1. x', '&lt;b&gt;', '&#64;all', 'javascript:alert(1)',
  'https://ok.example/)> @all <b>', 'x'.repeat(500), '[^1]', '[x]: https://evil.example', '$x$', '\t@all', 'a `b` @c',
]

// What readers of the report check is left as it is.
const fixed = new Set(['schema', 'kind', 'level', 'verdict', 'direction', 'fileSha1', 'sha256', 'released', 'time', 'expires'])

let n = 0
function infect(v, key) {
  if (Array.isArray(v)) return v.map(e => infect(e, key))
  if (v !== null && typeof v === 'object') return Object.fromEntries(Object.entries(v).map(([k, e]) => [k, infect(e, k)]))
  return typeof v === 'string' && !fixed.has(key) ? texts[n++ % texts.length] : v
}

async function judge(file) {
  const { micromark } = await import('micromark')
  const { gfm, gfmHtml } = await import('micromark-extension-gfm')
  const html = micromark(readFileSync(file), { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
  const faults = []
  const known = /^<\/?(h2|h3|h4|p|ul|li|strong|code|pre|hr|details|summary)( \/)?>$|^<code class="language-[a-z0-9+#-]+">$|^<a href="https?:\/\/[^"<>]*">$|^<\/a>$/
  let open = []
  for (const part of html.split(/(<[^>]*>)/)) {
    if (part.startsWith('<')) {
      if (!known.test(part)) faults.push('element ' + part)
      if (part.startsWith('</')) { const was = open.pop(); if (was !== part.slice(2, -1)) faults.push(`${part} closes ${was}`) }
      else if (!part.startsWith('<hr')) open.push(part.slice(1).match(/^[a-z0-9]+/)[0])
    } else if (!open.includes('code') && /@|#\w|\w#|GH-|www\.|:\/\/|:\w+:|[0-9a-f]{7}|[\u202a-\u202e\u2066-\u2069]/.test(part)) {
      faults.push('text ' + JSON.stringify(part))
    }
  }
  if (open.length) faults.push('left open: ' + open)
  const sections = html.split('<h3>').length - 1
  console.log(`${file.split('/').pop()}: ${sections} sections, ${faults.length} faults`)
  for (const f of faults.slice(0, 10)) console.log(f)
  process.exit(faults.length || !sections ? 1 : 0)
}

if (process.argv[2] === '--judge') await judge(process.argv[3])
else {
  const r = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  const copies = texts.flatMap(() => r.findings)
  writeFileSync(process.argv[3], JSON.stringify(infect({ ...r, findings: copies, ledger: texts.map(t => ({ path: t, reason: t, detail: t })) })))
}
