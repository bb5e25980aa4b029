// picture.mjs CHROMIUM HTML PNG: takes a picture of a report where its first finding
// shows both sides.
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const [executablePath, html, path] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: 'light' })
await page.goto(pathToFileURL(html).href)
await page.locator('#detail h4', { hasText: 'Both sides' }).evaluate(h => h.scrollIntoView())
await page.screenshot({ path })
await browser.close()
