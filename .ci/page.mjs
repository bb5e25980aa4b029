// page.mjs CHROMIUM DIR: opens the HTML reports in DIR in a browser, from disk, and
// fails if one of them asks the network for anything, complains, or does not show or
// do what it has to. DIR/NAME.html was made from DIR/NAME.json. With SHOTS=DIR it
// leaves pictures there.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const [executablePath, dir] = process.argv.slice(2)
const shots = process.env.SHOTS
let faults = 0
const check = (ok, what, ...facts) => { if (!ok) { faults++; console.log('FAULT', what, ...facts) } }
const same = (got, want, what) => check(JSON.stringify(got) === JSON.stringify(want), `${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`)
const report = name => JSON.parse(readFileSync(join(dir, name + '.json'), 'utf8'))

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

// open loads a page and notes whatever it complains of or asks for.
async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const url = pathToFileURL(join(dir, name + '.html')).href
  const noise = []
  page.on('console', m => { if (m.type() === 'error' || m.type() === 'warning') noise.push('console ' + m.text()) })
  page.on('pageerror', e => noise.push('error ' + e.message))
  page.on('dialog', d => { noise.push('dialog ' + d.message()); d.dismiss() })
  page.on('request', r => { if (r.url() !== url) noise.push('request ' + r.url()) })
  page.on('popup', p => noise.push('popup ' + p.url()))
  await page.goto(url)
  if (options.javaScriptEnabled !== false) {
    const ready = await page.evaluate(() => performance.getEntriesByName('ready')[0]?.startTime)
    check(ready !== undefined, `${name}: the script did not get to its end`)
    page.ready = Math.round(ready)
  }
  page.done = async () => { same(noise, [], `${name}: noise`); await context.close() }
  page.noise = noise
  page.shot = async what => { if (shots) await page.screenshot({ path: join(shots, `${name}-${what}.png`) }) }
  return page
}

const listed = page => page.locator('#list > li').count()
const current = page => page.locator('#list a[aria-current]').evaluateAll(as => as.map(a => Number(a.parentElement.dataset.n)))
const title = page => page.locator('#detail h3 bdi').innerText()

// toFinding goes to a finding by its address.
async function toFinding(page, n) {
  await page.goto(page.url().split('#')[0] + '#f' + n)
  await page.waitForFunction(n => document.querySelector(`#list > li[data-n="${n}"] > a[aria-current]`), n, { timeout: 5000 }).catch(() => check(false, `${n} is not reached by its address`))
}

// excerpted are the characters of one side that its runs cover, blanks left out.
function excerpted(f, side, line, column, endLine, endColumn) {
  const e = f.text[side]
  const covered = e.lines.map(l => [...l].map(() => false))
  for (const r of f.runs) {
    for (let l = Math.max(r[line], e.startLine); l <= r[endLine] && l - e.startLine < covered.length; l++) {
      const row = covered[l - e.startLine]
      for (let c = l === r[line] ? r[column] - 1 : 0; c < (l === r[endLine] ? r[endColumn] - 1 : row.length); c++) row[c] = true
    }
  }
  return e.lines.map((l, i) => [...l].filter((_, c) => covered[i][c]).join('')).join('').replace(/\s/g, '')
}

// What is drawn against what stands behind it, as WCAG counts; large text included.
const contrast = page => page.evaluate(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
  const rgba = c => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data] }
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0)
  const behind = e => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c } return [255, 255, 255, 255] }
  const worst = new Map()
  for (const e of document.body.querySelectorAll('*')) {
    if (!e.checkVisibility() || e.closest('svg') || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(behind(e))]
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05)
    const kind = e.tagName.toLowerCase() + '.' + e.className
    if (ratio < 4.5) worst.set(kind, ratio.toFixed(2))
  }
  return [...worst]
})

// Names, landmarks and the order of headings, as far as they can be asked of the tree.
const access = page => page.evaluate(() => {
  const out = []
  const seen = e => e.checkVisibility()
  const name = e => e.getAttribute('aria-label') || (e.labels && e.labels[0]?.textContent) || document.getElementById(e.getAttribute('aria-labelledby'))?.textContent || e.textContent.trim()
  for (const e of document.querySelectorAll('a, button, select, input, summary, dialog, nav, article, [role=img], form')) if (seen(e) && !name(e)) out.push('no name: ' + e.outerHTML.slice(0, 80))
  for (const t of ['main', 'header', 'nav', 'footer', '[role=search]', '[role=status]']) if (!document.querySelector(t)) out.push('no ' + t)
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id)
  if (new Set(ids).size !== ids.length) out.push('an id twice')
  let last = 0
  for (const h of document.querySelectorAll('h1, h2, h3, h4')) if (seen(h)) { const n = Number(h.tagName[1]); if (n > last + 1) out.push('heading ' + h.textContent); last = n }
  if (document.querySelectorAll('h1').length !== 1) out.push('not one h1')
  for (const t of document.querySelectorAll('table')) if (seen(t) && !t.querySelector('th[scope]')) out.push('table without headers')
  if (!document.documentElement.lang || !document.title) out.push('no language or title')
  return out
})

// A real scan: what is shown is what the report says.
async function real(name) {
  const r = report(name)
  const page = await open(name)
  same(await listed(page), r.findings.length, `${name}: findings listed`)
  const ids = await page.locator('#list > li').evaluateAll(ls => ls.map(l => l.dataset.id))
  same([...ids].sort(), r.findings.map(f => f.id).sort(), `${name}: ids`)
  let renamed = 0, marks = 0
  for (let n = 1; n <= ids.length; n++) {
    same(await current(page), [n], `${name}: at finding`)
    const f = r.findings.find(x => x.id === ids[n - 1] && true)
    const twins = r.findings.filter(x => x.id === f.id)
    const text = await page.locator('#detail').innerText()
    if (twins.length === 1) {
      same(await title(page), f.path, `${name}: path of ${f.id}`)
      for (const want of [f.origins[0].purl, f.origins[0].license, f.verdict, f.id, ...f.reasons, ...(f.attributions.map(a => a.text))]) check(text.includes(want), `${name}: ${f.id} does not show ${want}`)
      if (f.allowed?.reason) check(text.includes(f.allowed.reason), `${name}: ${f.id} lacks its reason`)
      const marks = await page.locator('#detail .axis circle title').evaluateAll(ts => ts.map(t => t.textContent))
      const drawn = await page.locator('#detail .axis table tbody tr td').evaluateAll(ts => ts.map(t => t.textContent))
      check(!f.origins[0].released || marks.length > 0, `${name}: ${f.id} has dates and no axis`)
      for (const m of marks) { const [day, words] = m.split(/: (.*)/); check(drawn.includes(day) && drawn.includes(words), `${name}: the table of ${f.id} lacks ${m}`) }
      if (f.introduced) check(text.includes(f.introduced.commit.slice(0, 12)), `${name}: ${f.id} lacks its commit`)
    }
    if (f.text && twins.length === 1) {
      const cells = i => page.locator(`#detail .code tr td:nth-child(${i}) mark`).evaluateAll(ms => ms.map(m => m.textContent).join('').replace(/\s/g, ''))
      same(await cells(2), excerpted(f, 'target', 'startLine', 'startColumn', 'endLine', 'endColumn'), `${name}: marked of ${f.id}`)
      same(await cells(4), excerpted(f, 'origin', 'originStartLine', 'originStartColumn', 'originEndLine', 'originEndColumn'), `${name}: marked of ${f.id}'s origin`)
      marks++
      for (const side of [2, 4]) {
        const names = await page.locator(`#detail .code tr td:nth-child(${side}) .name`).evaluateAll(es => es.map(e => [Number(e.dataset.n), e.textContent, e.className]))
        for (const [i, t, c] of names) {
          renamed++
          same([t, c], [f.renames[i - 1][side === 2 ? 'target' : 'origin'], `name r${(i - 1) % 8}`], `${name}: rename ${i} of ${f.id}`)
        }
      }
      check((await page.locator('#detail .bar rect.here').count()) === 1, `${name}: ${f.id} is not on its file's bar`)
    }
    if (n < ids.length) await page.keyboard.press('j')
  }
  check(marks > 0 && renamed > 0, `${name}: no marks or renames to look at`)
  check(await page.locator('#detail a[href^="https://"]').count() > 0, `${name}: no link to an origin`)
  same(await access(page), [], `${name}: access`)
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme })
    await toFinding(page, 1)
    for (const part of ['findings', 'files', 'timeline', 'allowances', 'ledger']) {
      const tab = page.locator(`a[data-view=${part}]`)
      if (await tab.count() === 0) continue
      await tab.click()
      await page.locator('#' + part).waitFor({ timeout: 5000 }).catch(() => check(false, `${name}: ${part} is not shown`))
      same(await contrast(page), [], `${name}: contrast of ${part}, ${scheme}`)
      same(await access(page), [], `${name}: access of ${part}`)
      await page.shot(`${part}-${scheme}`)
    }
    await toFinding(page, 1)
    await page.locator('#detail .renames, #detail .source').first().evaluate(e => e.scrollIntoView())
    await page.shot(`source-${scheme}`)
  }
  const entries = await page.locator('details.reason').evaluateAll(async ds => { for (const d of ds) d.open = true; await new Promise(f => setTimeout(f, 200)); return document.querySelectorAll('.entries tbody tr').length })
  same(entries, r.ledger.length, `${name}: entries of the ledger`)
  await page.pdf({ path: join(shots || dir, name + '.pdf'), format: 'A4' })
  await page.emulateMedia({ media: 'print' })
  await page.waitForFunction(n => document.querySelectorAll('#paper > article').length === n, r.findings.length, { timeout: 5000 }).catch(() => check(false, `${name}: findings on paper`))
  for (const gone of ['#filter', '.tools', '.views', '#list']) check(!(await page.locator(gone).isVisible()), `${name}: ${gone} on paper`)
  if (shots) await page.screenshot({ path: join(shots, name + '-paper.png'), clip: { x: 0, y: 0, width: 1000, height: 2600 }, fullPage: true })
  await page.emulateMedia({ media: 'screen' })
  await page.waitForFunction(() => document.querySelectorAll('#paper > article').length === 0, null, { timeout: 5000 }).catch(() => check(false, `${name}: paper stays`))
  console.log(`${name}: ${ids.length} findings, ready in ${page.ready} ms`)
  await page.done()
}

// Filter and keys, on a report of thousands.
async function large(name) {
  const r = report(name)
  const page = await open(name)
  same(await listed(page), r.findings.length, `${name}: findings listed`)
  check(page.ready < 15_000, `${name}: ready after ${page.ready} ms`) // generous: machines of CI are slow and shared
  const times = await page.evaluate(async () => {
    const frame = () => new Promise(f => requestAnimationFrame(() => setTimeout(f)))
    const timed = async act => { const t = performance.now(); act(); await frame(); return Math.round(performance.now() - t) }
    const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    const steps = []
    for (let i = 0; i < 20; i++) steps.push(await timed(() => press('j')))
    const at = document.querySelector('#list a[aria-current]').parentElement.dataset.n
    if (at !== '21') throw new Error('j twenty times leads to ' + at)
    const rows = () => document.querySelectorAll('#list > li').length
    const search = async words => { // from the last key typed
      const t = performance.now(), was = rows()
      document.getElementById('q').value = words
      document.getElementById('filter').dispatchEvent(new Event('input', { bubbles: true }))
      while (rows() === was) await frame()
      return Math.round(performance.now() - t)
    }
    return { step: steps.sort((a, b) => a - b)[10], first: await search('needle-1999-'), back: await search(''), again: await search('needle-1998-'), end: await search('') }
  })
  check(times.step < 2000 && times.first < 20_000, `${name}: slow`, times)
  await toFinding(page, 21)
  await page.keyboard.press('k')
  same(await current(page), [20], `${name}: after k`)
  await page.keyboard.press('/')
  check(await page.locator('#q').evaluate(e => e === document.activeElement), `${name}: / does not lead to the filter`)
  const all = r.findings.length
  const wait = async n => { await page.waitForFunction(n => document.querySelectorAll('#list > li').length === n, n, { timeout: 20_000 }).catch(() => {}); same(await listed(page), n, `${name}: findings that pass`) }
  await page.keyboard.type('needle-17-')
  await wait(r.findings.filter(f => f.path.includes('needle-17-')).length)
  check((await page.locator('#count').innerText()).includes(` of ${all}`), `${name}: the count`)
  check((await title(page)).includes('needle-17-'), `${name}: shows a finding that does not pass`)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await wait(all)
  await page.locator('#by-path').fill('DIR3/')
  await wait(r.findings.filter(f => f.path.includes('dir3/')).length)
  await page.locator('#filter button[type=reset]').click()
  await wait(all)
  for (const [key, of] of Object.entries({ level: f => [f.level], verdict: f => [f.verdict], licence: f => [...new Set([...f.licenses, ...f.origins.map(o => o.license)])] })) {
    const option = page.locator(`#by-${key} option`).nth(1)
    const word = (await option.innerText()).replace(/ \(\d+\)$/, '')
    await page.locator('#by-' + key).selectOption({ index: 1 })
    const want = r.findings.filter(f => of(f).includes(word)).length
    check(want > 0 && want < all, `${name}: the filter by ${key} has nothing to choose`)
    await wait(want)
    await page.locator('#by-' + key).selectOption({ index: 0 })
    await wait(all)
  }
  await page.locator('#q').fill('nothing at all')
  await wait(0)
  check(await page.locator('#none').isVisible(), `${name}: does not say that nothing passes`)
  await page.locator('#filter button[type=reset]').click()
  await wait(all)
  await page.locator('body').press('?')
  check(await page.locator('#help').isVisible(), `${name}: no help`)
  same(await contrast(page), [], `${name}: contrast of the help`)
  await page.shot('help')
  await page.locator('#single').uncheck()
  await page.keyboard.press('Escape')
  check(!(await page.locator('#help').isVisible()), `${name}: help stays`)
  const at = await current(page)
  await page.keyboard.press('j')
  same(await current(page), at, `${name}: a key that was turned off`)
  await page.locator('#list li').nth(4).locator('a').click()
  same(await current(page), [5], `${name}: after a click`)
  await page.locator('#list li').nth(4).locator('a').focus()
  await page.keyboard.press('ArrowDown')
  same(await current(page), [6], `${name}: after an arrow`)
  const focus = await page.evaluate(() => [document.activeElement.getAttribute('href'), getComputedStyle(document.activeElement).outlineStyle])
  same(focus, ['#f6', 'solid'], `${name}: focus`)
  await page.keyboard.press('Enter')
  check(await page.locator('#detail').evaluate(e => e === document.activeElement), `${name}: Enter does not lead into the finding`)
  const dark = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const colours = []
  for (let i = 0; i < 3; i++) { colours.push(await dark()); await page.locator('#theme').click() }
  same(new Set(colours).size, 2, `${name}: colours`)
  await page.locator('a[data-view=files]').click()
  await page.shot('files')
  await toFinding(page, 1999)
  await page.shot('list')
  console.log(`${name}: ${all} findings, ${(readFileSync(join(dir, name + '.html')).length / 1e6).toFixed(1)} MB, ready in ${page.ready} ms, next finding in ${times.step} ms, first search of all text in ${times.first} ms, the next in ${times.again} ms`)
  await page.done()
}

async function hostile(name) {
  const page = await open(name)
  const r = report(name)
  same(await listed(page), r.findings.length, `${name}: findings listed`)
  for (let n = 1; n < r.findings.length; n++) await page.keyboard.press('j')
  same(await current(page), [r.findings.length], `${name}: last finding`)
  for (const d of await page.locator('details.reason summary').all()) await d.evaluate(e => { e.parentElement.open = true })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint'))) // all findings at once
  const found = await page.evaluate(() => [...new Set([...document.querySelectorAll('*')].map(e => e.tagName.toLowerCase()))].filter(t => ['img', 'iframe', 'object', 'embed', 'base', 'video', 'audio', 'link', 'b1'].includes(t)))
  same(found, [], `${name}: elements`)
  const links = await page.evaluate(() => [...document.querySelectorAll('a')].map(a => a.protocol).filter(p => !['https:', 'http:', 'file:'].includes(p)))
  same(links, [], `${name}: addresses`)
  const invisible = await page.evaluate(() => (document.documentElement.textContent.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g) || []).length)
  same(invisible, 0, `${name}: characters that turn or hide text`)
  same(await page.locator('script:not([type])').count(), 1, `${name}: scripts`)
  await page.shot('page')
  console.log(`${name}: ${r.findings.length} findings are inert`)
  await page.done()
}

async function narrow(name) {
  const page = await open(name, { viewport: { width: 380, height: 800 } })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  check(wide <= 380, `${name}: ${wide} pixels wide on a small screen`)
  await page.shot('narrow')
  await page.done()
}

async function empty(name) {
  const page = await open(name)
  check((await page.locator('#findings').innerText()).includes('No region'), `${name}: does not say that nothing was found`)
  same(await access(page).then(list => list.filter(f => !/search|status/.test(f))), [], `${name}: access`)
  await page.shot('page')
  await page.done()
  console.log(`${name}: says so`)
}

async function still(name) {
  const page = await open(name, { javaScriptEnabled: false })
  same(await page.locator('#list > li:visible').count(), report(name).findings.length, `${name}: findings without a script`)
  check(await page.locator('#ledger').isVisible() && await page.locator('#files').isVisible(), `${name}: parts without a script`)
  await page.shot('noscript')
  await page.done()
}

// The policy of the page stops what the escaping would have to let through first,
// and this test would see it.
async function pierced(name) {
  const html = readFileSync(join(dir, name + '.html'), 'utf8')
  writeFileSync(join(dir, 'pierced.html'), html.replace('<main>', '<main><img src="https://evil.example/x.png" onerror="window.bad = 1"><script>window.bad = 1</script><p style="color:red">'))
  const page = await open('pierced')
  same(await page.evaluate(() => window.bad), undefined, 'pierced: a script ran')
  check(page.noise.filter(n => /Content Security Policy/.test(n)).length >= 3, 'pierced: the browser does not object', page.noise)
  check(!page.noise.some(n => n.startsWith('request ') && !/evil/.test(n)), 'pierced: requests', page.noise)
  page.noise.length = 0
  await page.done()
  console.log('pierced: the policy holds')
}

await real('tree')
await real('history')
await large('large')
await hostile('hostile')
await narrow('tree')
await empty('none')
await still('tree')
await pierced('tree')
await browser.close()
console.log(faults ? `${faults} faults` : 'page: all well')
process.exit(faults ? 1 : 0)
